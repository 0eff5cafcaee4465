import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { VersionedFormButton } from '../../../ui/conflicts/versioned-form-button.tsx';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { changedValues, type Field, type Values } from '../../../ui/forms/fields.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { Hash } from '../../../ui/text/copy-text.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { entryOf, MATCHES, placeOf, valuesOfEntry, withElement, withEntry } from '../model.ts';
import {
  CHANGES,
  deletePolicy,
  type Entry,
  MODES,
  type Policy,
  policyQuery,
  readPolicy,
  updatePolicy,
} from '../queries.ts';

const NAME_MAX = 255;
const MAX_LENGTHS = { sha256: 64, signer: 255, publisher: 255, pathGlob: 1024 } as const;

/** The name of an entry and what it matches by. */
function useEntryFields(): readonly Field[] {
  const words = useTranslations('softwarePolicies');
  return [
    { name: 'name', label: words('name'), required: true, maxLength: NAME_MAX },
    ...MATCHES.map((name) => ({ name, label: words(`matches.${name}`), maxLength: MAX_LENGTHS[name] })),
  ];
}

const route = getRouteApi('/rules/software-policies/$policyId');
const PATCH = 'PATCH /pam/software-policies/{id}';
const VALUE_LENGTH = 60;

const valuesOf = ({ name, mode, priority, enabled }: Policy): Values => ({ name, mode, priority, enabled });

function EditButton({ policy }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  return (
    <VersionedFormButton
      label={words('edit')}
      name={policy.name}
      variant="default"
      needs={PATCH}
      audited="pam.software_policy.update"
      fields={[
        { name: 'name', label: words('name'), required: true, ...inputLimits(PATCH, 'name') },
        {
          name: 'mode',
          label: words('mode'),
          kind: 'choice',
          required: true,
          choices: MODES.map((value) => ({ value, label: words(`modes.${value}`) })),
        },
        {
          name: 'priority',
          label: words('priority'),
          description: words('priorityText'),
          kind: 'number',
          required: true,
        },
        { name: 'enabled', label: words('enabled'), kind: 'switch' },
      ]}
      stored={policy}
      valuesOf={valuesOf}
      read={() => readPolicy(policy.id)}
      save={(stored, values) => updatePolicy(stored, changedValues(valuesOf(stored), values))}
      changes={CHANGES}
    />
  );
}

function DeleteButton({ policy }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  const navigate = route.useNavigate();
  const search = route.useSearch();
  return (
    <ConfirmButton
      label={words('delete')}
      title={words('deleteTitle', { name: policy.name })}
      needs="DELETE /pam/software-policies/{id}"
      name={policy.name}
      changes={[]}
      act={() => deletePolicy(policy)}
      onDone={() => void navigate({ to: '/rules/software-policies', search })}
    >
      {words('deleteText')}
    </ConfirmButton>
  );
}

function AddButton({ policy }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  return (
    <VersionedFormButton
      label={words('add')}
      title={words('addTitle', { name: policy.name })}
      action="add"
      name={policy.name}
      text={words('addText')}
      needs={PATCH}
      audited="pam.software_policy.update"
      fields={useEntryFields()}
      stored={policy}
      valuesOf={() => valuesOfEntry()}
      read={() => readPolicy(policy.id)}
      save={(stored, values) => updatePolicy(stored, { rules: [...stored.rules, entryOf(values)] })}
      changes={CHANGES}
    />
  );
}

function EditEntry({ policy, entry, at }: { readonly policy: Policy; readonly entry: Entry; readonly at: number }) {
  const words = useTranslations('softwarePolicies');
  return (
    <VersionedFormButton
      label={words('edit')}
      title={words('editEntry', { name: entry.name })}
      name={policy.name}
      size="xs"
      variant="default"
      needs={PATCH}
      audited="pam.software_policy.update"
      fields={useEntryFields()}
      stored={policy}
      valuesOf={({ rules }) => valuesOfEntry(rules[placeOf(rules, entry, at)])}
      read={() => readPolicy(policy.id)}
      save={(stored, values) => {
        const place = placeOf(stored.rules, entry, at);
        return updatePolicy(stored, { rules: withEntry(stored.rules, place, entryOf(values)) });
      }}
      changes={CHANGES}
    />
  );
}

function EntryActs({ policy, at }: { readonly policy: Policy; readonly at: number }) {
  const words = useTranslations('softwarePolicies');
  const entry = policy.rules[at];
  if (!entry) return null;
  return (
    <Group gap="xs">
      <EditEntry policy={policy} entry={entry} at={at} />
      <ConfirmButton
        key={policy.version}
        label={words('remove')}
        title={words('removeTitle', { name: entry.name })}
        size="xs"
        needs={PATCH}
        color="red"
        changes={CHANGES}
        act={() => updatePolicy(policy, { rules: withElement(policy.rules, at) })}
      >
        {words('removeText')}
      </ConfirmButton>
    </Group>
  );
}

type Row = Entry & { readonly at: number };

function Entries({ policy }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  const uiWords = useTranslations('ui');
  const columns: readonly Column<Row>[] = [
    { id: 'name', header: words('name'), cell: ({ name }) => name },
    ...MATCHES.map((match) => ({
      id: match,
      header: words(`matches.${match}`),
      cell: ({ [match]: value }: Row) =>
        value &&
        (match === 'sha256' ? (
          <Hash value={value} />
        ) : (
          <SafeText value={value} path={match === 'pathGlob'} most={VALUE_LENGTH} />
        )),
    })),
    {
      id: 'acts',
      header: uiWords('actions'),
      bare: true,
      needs: PATCH,
      cell: ({ at }) => <EntryActs policy={policy} at={at} />,
    },
  ];
  const rows = policy.rules.map((entry, at) => ({ ...entry, at }));
  if (rows.length === 0) return <EmptyView title={words('noEntry')} text={words('addText')} />;
  return <DataTable label={words('entries')} columns={columns} rows={rows} idOf={({ at }) => String(at)} />;
}

function PolicyFacts({ policy: { mode, target, priority, enabled } }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  return (
    <Facts
      facts={[
        { name: words('mode'), value: words(`modes.${mode}`) },
        { name: words('level'), value: words(`levels.${target.level}`) },
        { name: words('target'), value: <PlaceName level={target.level} id={target.id} /> },
        { name: words('priority'), value: priority },
        {
          name: words('state'),
          value: <Badge color={enabled ? 'green' : 'gray'}>{words(enabled ? 'on' : 'off')}</Badge>,
        },
      ]}
    />
  );
}

/** One software policy with its entries. */
export function PolicyPage() {
  const { policyId } = route.useParams();
  return (
    <QueryView query={useQuery(policyQuery(policyId))}>
      {(policy) => (
        <Page
          title={policy.name}
          orgId={policy.orgId}
          actions={
            <>
              <AddButton policy={policy} />
              <EditButton policy={policy} />
              <DeleteButton policy={policy} />
            </>
          }
        >
          <PolicyFacts policy={policy} />
          <Entries policy={policy} />
        </Page>
      )}
    </QueryView>
  );
}
