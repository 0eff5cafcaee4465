import {
  Button,
  Group,
  SimpleGrid,
  Stack,
  Stepper,
  Text,
  TextInput,
  Textarea,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { type Preset, providerFrom, STEPS } from '../model.ts';
import { GoLive } from '../parts/go-live.tsx';
import { ProviderTest } from '../parts/provider-test.tsx';
import { createProvider, ownAddressesQuery, presetsQuery, providerQuery } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/sign-on/new');

function Choose() {
  const words = useTranslations('signOn');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <QueryView query={useQuery(presetsQuery)}>
      {(presets) => (
        <Stack>
          <Title order={2}>{words('chooseTitle')}</Title>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
            {presets.map(({ id, name, type }) => (
              <UnstyledButton
                key={id}
                className="gh-card gh-choice"
                onClick={() => void navigate({ search: { ...search, preset: id, step: 'settings' } })}
              >
                <Text fw={600}>{name}</Text>
                <Text size="sm" c="dimmed">
                  {words(`types.${type}`)}
                </Text>
              </UnstyledButton>
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </QueryView>
  );
}

/** Our addresses, to be copied into the provider. */
function OwnAddresses({ type }: Pick<Preset, 'type'>) {
  const words = useTranslations('signOn');
  const addresses = useQuery(ownAddressesQuery).data;
  if (!addresses) return null;
  const names = type === 'oidc' ? (['callbackUrl'] as const) : (['acsUrl', 'entityId', 'metadataUrl'] as const);
  return (
    <Stack gap="xs">
      <Text size="sm">{words('addresses')}</Text>
      {names.map((name) => (
        <CopyText key={name} label={words(`address.${name}`)} text={addresses[name]} />
      ))}
    </Stack>
  );
}

function AtTheProvider({ preset }: { readonly preset: Preset }) {
  const words = useTranslations('signOn');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('thereTitle')}</Title>
      <Text size="sm">{preset.instructions}</Text>
      <OwnAddresses type={preset.type} />
    </Stack>
  );
}

/** The fields that a preset leaves open. */
const fieldsOf = ({ type, issuerTemplate, ssoUrlTemplate, placeholders }: Preset): readonly string[] =>
  type === 'oidc'
    ? ['name', ...placeholders, ...(issuerTemplate ? [] : ['issuer']), 'clientId', 'clientSecret']
    : ['name', ...placeholders, 'entityId', ...(ssoUrlTemplate ? [] : ['ssoUrl']), 'certificate'];

const KNOWN = ['name', 'issuer', 'clientId', 'clientSecret', 'entityId', 'ssoUrl', 'certificate'] as const;

function SettingInput(props: { name: string; value: string; onChange: (value: string) => void }) {
  const words = useTranslations('signOn');
  const { name, value, onChange } = props;
  const known = KNOWN.find((one) => one === name);
  const label = known ? words(known) : words('placeholder', { name });
  if (name === 'certificate')
    return (
      <Textarea
        label={label}
        required
        autosize
        minRows={4}
        value={value}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
    );
  return (
    <TextInput
      label={label}
      required={name !== 'name'}
      type={name === 'clientSecret' ? 'password' : 'text'}
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

const ownerOf = (orgId: string | undefined) =>
  orgId ? { ownerScope: 'organization' as const, orgId } : { ownerScope: 'partner' as const };

function Settings({ preset }: { readonly preset: Preset }) {
  const words = useTranslations('signOn');
  const { orgId: ownOrg } = useMe();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const saved = useUnsaved(Object.values(values).some((value) => value !== ''));
  const act = useAct(['sign-on'], createProvider);
  const onSuccess = ({ id }: { readonly id: string }) => {
    saved();
    void navigate({ search: { ...search, step: 'test', provider: id } });
  };
  const create = () => act.mutate({ ...providerFrom(preset, values), ...ownerOf(ownOrg ?? search.org) }, { onSuccess });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        create();
      }}
    >
      <div className="gh-columns">
        <Stack className="gh-card">
          <Title order={2}>{words('hereTitle')}</Title>
          {fieldsOf(preset).map((name) => (
            <SettingInput
              key={name}
              name={name}
              value={values[name] ?? ''}
              onChange={(value) => setValues({ ...values, [name]: value })}
            />
          ))}
          <Refusal error={act.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => void navigate({ search: { ...search, step: 'choose' } })}>
              {words('back')}
            </Button>
            <Button type="submit" loading={act.isPending}>
              {words('create')}
            </Button>
          </Group>
        </Stack>
        <AtTheProvider preset={preset} />
      </div>
    </form>
  );
}

function AfterCreation({ providerId, step }: { readonly providerId: string; readonly step: 'test' | 'people' }) {
  const words = useTranslations('signOn');
  const search = route.useSearch();
  return (
    <QueryView query={useQuery(providerQuery(providerId))}>
      {(provider) =>
        step === 'people' ? (
          <Stack>
            <GoLive provider={provider} />
          </Stack>
        ) : (
          <Stack>
            <ProviderTest provider={provider} />
            <Button component={Link} to="/sign-on/new" search={{ ...search, step: 'people' } as never} w="fit-content">
              {words('next')}
            </Button>
          </Stack>
        )
      }
    </QueryView>
  );
}

function Step() {
  const { step = 'choose', preset, provider } = route.useSearch();
  const presets = useQuery(presetsQuery).data ?? [];
  const chosen = presets.find(({ id }) => id === preset);
  if (provider && (step === 'test' || step === 'people')) return <AfterCreation providerId={provider} step={step} />;
  return step === 'settings' && chosen ? <Settings preset={chosen} /> : <Choose />;
}

/** Connects an identity provider: choose it, set both sides up, test, go live. */
export function ConnectProvider() {
  const words = useTranslations('signOn');
  const { step = 'choose' } = route.useSearch();
  return (
    <Page title={words('connect')}>
      <Stepper active={STEPS.indexOf(step)} size="sm" allowNextStepsSelect={false}>
        {STEPS.map((name) => (
          <Stepper.Step key={name} label={words(`steps.${name}`)} />
        ))}
      </Stepper>
      <Step />
    </Page>
  );
}
