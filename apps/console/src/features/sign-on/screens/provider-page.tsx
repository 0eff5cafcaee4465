import { Alert, Badge, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { type Fact, Facts } from '../../../ui/text/facts.tsx';
import { changedValues, type Field } from '../../../ui/forms/fields.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import type { Provider } from '../model.ts';
import { GoLive } from '../parts/go-live.tsx';
import { ProviderTest } from '../parts/provider-test.tsx';
import { deleteProvider, providerQuery, updateProvider } from '../queries.ts';
import { COLORS } from './provider-list.tsx';
import '../words.ts';

const route = getRouteApi('/sign-on/$providerId');
const PATCH = 'PATCH /sso/providers/{id}';

function useFacts(provider: Provider): readonly Fact[] {
  const words = useTranslations('signOn');
  const uiWords = useTranslations('ui');
  return [
    { name: words('type'), value: words(`types.${provider.type}`) },
    { name: words('issuer'), value: provider.issuer },
    { name: words('clientId'), value: provider.clientId },
    { name: words('entityId'), value: provider.entityId },
    { name: words('ssoUrl'), value: provider.ssoUrl },
    { name: words('autoProvision'), value: uiWords(provider.autoProvision ? 'yes' : 'no') },
    { name: words('allowedDomains'), value: provider.allowedDomains },
    { name: words('trustsIdpMfa'), value: uiWords(provider.trustsIdpMfa ? 'yes' : 'no') },
  ];
}

function EditButton({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const text = (name: 'name' | 'issuer' | 'clientId' | 'clientSecret' | 'entityId' | 'ssoUrl'): Field => ({
    name,
    label: words(name),
    ...inputLimits(PATCH, name),
    ...(name === 'clientSecret' && { kind: 'password' as const }),
  });
  const fields =
    provider.type === 'oidc'
      ? [text('name'), text('issuer'), text('clientId'), text('clientSecret')]
      : [text('name'), text('entityId'), text('ssoUrl')];
  const { name, issuer, clientId, entityId, ssoUrl } = provider;
  const initial = {
    name,
    issuer: issuer ?? '',
    clientId: clientId ?? '',
    clientSecret: '',
    entityId: entityId ?? '',
    ssoUrl: ssoUrl ?? '',
  };
  return (
    <FormButton
      label={words('settings')}
      variant="default"
      needs={PATCH}
      fields={fields}
      initial={initial}
      changes={['sign-on']}
      act={(values) => updateProvider(provider.id, changedValues(initial, values))}
    />
  );
}

function Actions({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const navigate = useNavigate();
  const { id, name } = provider;
  return (
    <>
      <EditButton provider={provider} />
      <ConfirmButton
        label={words('delete')}
        title={words('deleteTitle', { name })}
        needs="DELETE /sso/providers/{id}"
        name={name}
        changes={['sign-on', 'organizations']}
        act={() => deleteProvider(id)}
        onDone={() => void navigate({ to: '/sign-on' })}
      >
        {words('deleteText')}
      </ConfirmButton>
    </>
  );
}

function Body({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  return (
    <div className="gh-columns">
      <Stack>
        {provider.warnings.map(({ code, detail }) => (
          <Alert key={code} color="orange">
            {detail}
          </Alert>
        ))}
        <GoLive provider={provider} />
        <ProviderTest provider={provider} />
      </Stack>
      <Stack className="gh-card">
        <Title order={2}>{words('settings')}</Title>
        <Facts facts={useFacts(provider)} />
      </Stack>
    </div>
  );
}

/** One identity provider: its state, its settings, its test and its enforcement. */
export function ProviderPage() {
  const words = useTranslations('signOn');
  const { providerId } = route.useParams();
  return (
    <QueryView query={useQuery(providerQuery(providerId))}>
      {(provider) => (
        <Page
          title={provider.name}
          aside={
            <Badge variant="light" tt="none" color={COLORS[provider.status]} className="gh-status">
              {words(`statuses.${provider.status}`)}
            </Badge>
          }
          actions={<Actions provider={provider} />}
        >
          <Body provider={provider} />
        </Page>
      )}
    </QueryView>
  );
}
