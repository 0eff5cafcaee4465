import { Button, Group, List, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { faultAt } from '../draft.ts';
import { faultsFor, filled, type Preset, providerFrom, settingsOf, type Typed, unsavedIn } from '../model.ts';
import { createProvider, ownAddressesQuery, presetsQuery, readProvider, updateProvider } from '../queries.ts';
import { Metadata } from './metadata.tsx';

const NAMES = { oidc: ['callbackUrl'], saml: ['acsUrl', 'entityId', 'metadataUrl'] } as const;

/** Our addresses and names, to be copied into the provider. */
function OwnAddresses({ type }: Pick<Preset, 'type'>) {
  const words = useTranslations('signOn');
  const addresses = useQuery(ownAddressesQuery).data;
  if (!addresses) return null;
  return (
    <Stack gap="sm">
      <Text size="sm">{words(`addresses.${type}`)}</Text>
      {NAMES[type].map((name) => (
        <Stack key={name} gap={2} align="flex-start">
          <Text className="gh-hint">{words(`address.${name}`)}</Text>
          <CopyText text={addresses[name]} />
        </Stack>
      ))}
    </Stack>
  );
}

const POST = 'POST /sso/providers';
const KNOWN = ['name', 'issuer', 'clientId', 'clientSecret', 'entityId', 'ssoUrl', 'certificate'] as const;

interface SettingInputProps {
  readonly name: string;
  readonly value: string;
  readonly required: boolean;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

function SettingInput({ name, value, required, error, onChange }: SettingInputProps) {
  const words = useTranslations('signOn');
  const known = KNOWN.find((one) => one === name);
  const shared = {
    name,
    label: known ? words(known) : words('placeholder', { name }),
    ...(known && inputLimits(POST, known)),
    required,
    value,
    error,
    spellCheck: false,
  };
  if (name === 'certificate')
    return (
      <Textarea
        {...shared}
        autosize
        minRows={3}
        maxRows={8}
        classNames={{ input: 'gh-mono' }}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <TextInput
      {...shared}
      type={name === 'clientSecret' ? 'password' : 'text'}
      autoComplete="off"
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** What to do at the provider, with our addresses filled in. */
function Steps({ steps }: { readonly steps: readonly string[] }) {
  const addresses = useQuery(ownAddressesQuery).data;
  if (!addresses) return null;
  const { callbackUrl, acsUrl, entityId, metadataUrl } = addresses;
  const ours = { callback_url: callbackUrl, acs_url: acsUrl, entity_id: entityId, metadata_url: metadataUrl };
  return (
    <List type="ordered" size="sm" spacing="xs" className="gh-data">
      {steps.map((step) => (
        <List.Item key={step}>{filled(step, ours)}</List.Item>
      ))}
    </List>
  );
}

/** What to do at a provider for which there is no preset, with the steps at one as an example. */
function OtherProvider({ type }: Pick<Preset, 'type'>) {
  const words = useTranslations('signOn');
  const example = useQuery(presetsQuery).data?.examples.find((one) => one.type === type);
  return (
    <>
      <Text size="sm">{words(`instructions.${type}`)}</Text>
      {example && (
        <>
          <Text size="sm">{words('example', { name: example.name })}</Text>
          <Steps steps={example.steps} />
        </>
      )}
    </>
  );
}

function AtTheProvider({ preset }: { readonly preset: Preset }) {
  const words = useTranslations('signOn');
  return (
    <Stack className="gh-card" component="section">
      <Title order={2}>{words('thereTitle')}</Title>
      {preset.steps.length > 0 ? <Steps steps={preset.steps} /> : <OtherProvider type={preset.type} />}
      <OwnAddresses type={preset.type} />
    </Stack>
  );
}

/** The address of the metadata, once every value that goes into it is known. */
function metadataAddress({ metadataUrlTemplate }: Preset, values: Readonly<Record<string, string>>) {
  const address = metadataUrlTemplate && filled(metadataUrlTemplate, values);
  return address?.includes('{') ? undefined : address;
}

export interface Owner {
  readonly ownerScope: 'organization' | 'partner';
  readonly orgId?: string;
}

interface NewSettingsProps {
  readonly preset: Preset;
  readonly owner: Owner;
  /** The provider, once it was created from what was typed. */
  readonly provider: string | undefined;
  /** The setting that a test found wrong: it takes the focus. */
  readonly field: string | undefined;
  readonly typed: Typed;
  readonly onType: (typed: Typed) => void;
  readonly onBack: () => void;
  readonly onSaved: (id: string) => void;
}

const HOME = '/sign-on/new';

function useSaving({ preset, owner, provider, typed, onType, onSaved }: NewSettingsProps) {
  const changes = unsavedIn(preset, typed);
  const isDirty = Object.values(typed.values).some((value) => value !== '') && Object.keys(changes).length > 0;
  useUnsaved(isDirty, HOME);
  const write = async () => {
    if (!provider) return (await createProvider({ ...providerFrom(preset, typed.values), ...owner })).id;
    if (isDirty) await updateProvider(await readProvider(provider), changes);
    return provider;
  };
  const act = useAct<void, string>(['sign-on'], write);
  const onSuccess = (id: string) => {
    onType({ ...typed, saved: typed.values });
    onSaved(id);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    act.mutate(undefined, { onSuccess });
  };
  const set = (more: Typed['values']) => onType({ ...typed, values: { ...typed.values, ...more } });
  return { set, act, save };
}

/** The settings of a new provider: what it has to know of us, and what we have to know of it. */
export function NewSettings(props: NewSettingsProps) {
  const { preset, provider, field, onBack } = props;
  const { values } = props.typed;
  const words = useTranslations('signOn');
  const { set, act, save } = useSaving(props);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!field) return;
    const [name = field] = Object.keys(faultsFor(preset, { [field]: field })).filter((one) => one !== field);
    form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus();
  }, [field, preset]);
  const faults = faultsFor(preset, { ...fieldErrors(act.error), ...faultAt(act.error) });
  const isRead = preset.type === 'saml' && preset.ssoUrlTemplate !== undefined && values['ssoUrl'] !== undefined;
  const names = [...settingsOf(preset), ...(isRead ? ['ssoUrl'] : [])];
  const optional = [...(preset.name ? ['name'] : []), ...(isRead ? preset.placeholders : [])];
  return (
    <div className="gh-columns" data-wide="last">
      <AtTheProvider preset={preset} />
      <Stack>
        {preset.type === 'saml' && <Metadata address={metadataAddress(preset, values)} onRead={set} />}
        <form onSubmit={save} ref={form}>
          <Stack className="gh-card">
            <Title order={2}>{words('hereTitle')}</Title>
            {names.map((name) => (
              <SettingInput
                key={name}
                name={name}
                value={values[name] ?? ''}
                required={!optional.includes(name)}
                error={faults[name]}
                onChange={(value) => set({ [name]: value })}
              />
            ))}
            <Refusal error={act.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onBack}>
                {words('back')}
              </Button>
              <Button type="submit" loading={act.isPending}>
                {words(provider ? 'saveAndTest' : 'create')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </div>
  );
}
