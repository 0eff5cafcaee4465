import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useOnline } from '../../../api/browser.ts';
import { codeOf, problemOf } from '../../../api/problem.ts';
import type { Field, Values } from '../../../ui/forms/fields.ts';
import { FieldInput, keyOf, withKeys } from '../../../ui/forms/form-dialog.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import {
  endedBy,
  EVIDENCE,
  evidenceField,
  evidenceValuesField,
  MAPPED,
  mappingField,
  type ProviderPatch,
} from '../draft.ts';
import type { Provider } from '../model.ts';
import { rolesQuery } from '../queries.ts';

const PATCH = 'PATCH /sso/providers/{id}';
const ENTRA = /^https:\/\/login\.microsoftonline\.com\/[^/]+\/v2\.0$/;
const AXIS = { organization: 'organization', partner: 'partner' } as const;
type Form = UseFormReturnType<Values>;

/** The fields of the form, under their own names. */
export function useProviderForm(initial: Values) {
  const form = useForm<Values>({ initialValues: withKeys(initial) });
  const values: Values = Object.fromEntries(
    Object.keys(initial).map((name) => [name, form.values[keyOf(name)] ?? null]),
  );
  return { form, values, setValues: (next: Values) => form.setValues(withKeys(next)) };
}

function useConnection({ type, hasClientSecret }: Provider): readonly Field[] {
  const words = useTranslations('signOn');
  const text = (name: 'name' | 'issuer' | 'clientId' | 'scopes' | 'entityId' | 'ssoUrl' | 'nameIdFormat'): Field => ({
    name,
    label: words(name === 'scopes' ? 'oidcScopes' : name),
    ...inputLimits(PATCH, name),
  });
  const name = { ...text('name'), required: true };
  if (type === 'saml')
    return [
      name,
      text('entityId'),
      text('ssoUrl'),
      { ...text('nameIdFormat'), description: words('nameIdFormatText') },
      { name: 'forceAuthn', label: words('forceAuthn'), kind: 'switch' },
    ];
  const secret: Field = {
    name: 'clientSecret',
    label: words('clientSecret'),
    kind: 'password',
    ...inputLimits(PATCH, 'clientSecret'),
    ...(hasClientSecret && { description: words('clientSecretText') }),
  };
  const secretEnd: Field = {
    name: 'clientSecretExpiresAt',
    label: words('clientSecretExpiresAt'),
    description: words('clientSecretExpiresAtText'),
    kind: 'date',
  };
  const subject: Field = {
    name: 'subjectClaim',
    label: words('subjectClaim'),
    description: words('subjectClaimText'),
    kind: 'choice',
    choices: (['sub', 'oid'] as const).map((value) => ({ value, label: words(`subjectClaims.${value}`) })),
    when: ({ issuer }) => ENTRA.test(String(issuer)),
  };
  return [name, text('issuer'), text('clientId'), secret, secretEnd, { ...text('scopes'), required: true }, subject];
}

/** Which claims or statements count as a second factor, and with which values. */
function useEvidence(type: Provider['type']): readonly Field[] {
  const words = useTranslations('signOn');
  return EVIDENCE[type].flatMap((kind): Field[] => [
    {
      name: evidenceField(kind),
      label: words(`evidence.${kind}`),
      kind: 'switch',
      when: (values) => values['trustsIdpMfa'] === true,
    },
    {
      name: evidenceValuesField(kind),
      label: words('evidenceValues', { kind }),
      description: words(`evidenceText.${kind}`),
      when: (values) => values['trustsIdpMfa'] === true && values[evidenceField(kind)] === true,
    },
  ]);
}

function useMapping(): readonly Field[] {
  const words = useTranslations('signOn');
  return MAPPED.map((field) => ({
    name: mappingField(field),
    label: words(`mapped.${field}`),
    maxLength: 255,
    required: field === 'email' || field === 'name',
  }));
}

/** A partner's provider makes no accounts: its people are invited. */
function usePeople({ ownerScope, type }: Provider): readonly Field[] {
  const words = useTranslations('signOn');
  const roles = useQuery(rolesQuery(AXIS[ownerScope])).data ?? [];
  const evidence = useEvidence(type);
  const newcomers: readonly Field[] = [
    {
      name: 'autoProvision',
      label: words('autoProvisionLabel'),
      kind: 'switch',
      description: words('autoProvisionText'),
    },
    {
      name: 'defaultRoleId',
      label: words('defaultRole'),
      description: words('defaultRoleText'),
      kind: 'choice',
      none: words('noRole'),
      choices: roles.map(({ id, name }) => ({ value: id, label: name })),
      when: (values) => values['autoProvision'] === true,
    },
  ];
  const allowed: Field = {
    name: 'allowedDomains',
    label: words('allowedDomains'),
    description: words('allowedDomainsText'),
    ...inputLimits(PATCH, 'allowedDomains'),
  };
  const factor: Field = {
    name: 'trustsIdpMfa',
    label: words('trustsIdpMfa'),
    description: words('trustsIdpMfaText'),
    kind: 'switch',
  };
  return [...(ownerScope === 'organization' ? newcomers : []), allowed, factor, ...evidence];
}

interface SectionProps {
  readonly title: string;
  readonly text?: string;
  readonly fields: readonly Field[];
  readonly form: Form;
  readonly values: Values;
}

function Section({ title, text, fields, form, values }: SectionProps) {
  return (
    <Stack className="gh-card" component="section">
      <Title order={2}>{title}</Title>
      {text && <Text size="sm">{text}</Text>}
      {fields
        .filter(({ when }) => when?.(values) ?? true)
        .map((field) => (
          <FieldInput key={field.name} field={field} form={form} />
        ))}
    </Stack>
  );
}

/** What saving ends, before it is saved. */
function Consequences({ changes, enforced }: { readonly changes: ProviderPatch; readonly enforced: boolean }) {
  const words = useTranslations('signOn');
  const ended = endedBy(changes);
  if (!ended) return null;
  return (
    <Alert color="orange" variant="light" role="status">
      {words(`ends.${ended}`)} {words(enforced ? 'testAgainEnforced' : 'testAgain')}
    </Alert>
  );
}

interface ProviderFormProps {
  readonly provider: Provider;
  readonly form: Form;
  readonly values: Values;
  readonly changes: ProviderPatch;
  readonly saving: boolean;
  readonly error: unknown;
  /** @param confirmRelink the number of links that the person accepts to end */
  readonly onSave: (confirmRelink?: number) => void;
  readonly onCancel: () => void;
}

/** The settings of a provider, in the order in which one sets them up. */
export function ProviderForm(props: ProviderFormProps) {
  const { provider, form, values, changes, saving, error, onSave, onCancel } = props;
  const words = useTranslations('signOn');
  const uiWords = useTranslations('ui');
  const online = useOnline();
  const linksBroken = codeOf(error) === 'links_would_break' ? Number(problemOf(error)?.['links']) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <div className="gh-columns">
          <Section title={words('connection')} fields={useConnection(provider)} {...{ form, values }} />
          <Section
            title={words('mapping')}
            text={words(`mappingText.${provider.type}`)}
            fields={useMapping()}
            {...{ form, values }}
          />
        </div>
        <Section title={words('people')} fields={usePeople(provider)} {...{ form, values }} />
        <Consequences changes={changes} enforced={provider.enforceSSO} />
        <Refusal error={error} />
        {linksBroken !== null && (
          <Button color="red" variant="light" onClick={() => onSave(linksBroken)}>
            {words('breakLinks', { count: linksBroken })}
          </Button>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {uiWords('cancel')}
          </Button>
          <Button type="submit" loading={saving} disabled={!online || Object.keys(changes).length === 0}>
            {uiWords('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
