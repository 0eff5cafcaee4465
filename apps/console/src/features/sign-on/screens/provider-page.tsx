import { Badge, Button, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { type Fact, Facts } from '../../../ui/text/facts.tsx';
import { shownDomain } from '../../../ui/text/mail-domain.ts';
import { MAPPED } from '../draft.ts';
import type { Provider } from '../model.ts';
import { Certificates } from '../parts/certificates.tsx';
import { Encryption } from '../parts/encryption.tsx';
import { GoLive } from '../parts/go-live.tsx';
import { LastSignIns } from '../parts/last-sign-ins.tsx';
import { RenewLink } from '../parts/renew-link.tsx';
import { CHANGES, deleteProvider, providerQuery, rolesQuery } from '../queries.ts';
import { COLORS } from './provider-list.tsx';
import '../words.ts';

/** Loaded after the facts. */
const ProviderTest = lazyPart(async () => ({ default: (await import('../parts/provider-test.tsx')).ProviderTest }));
const MetadataWatch = lazyPart(async () => ({
  default: (await import('../parts/metadata-watch.tsx')).MetadataWatch,
}));

const route = getRouteApi('/sign-on/$providerId');

function useConnectionFacts(provider: Provider): readonly Fact[] {
  const words = useTranslations('signOn');
  const uiWords = useTranslations('ui');
  const { type } = provider;
  const shared = [{ name: words('type'), value: words(`types.${type}`) }];
  if (type === 'saml')
    return [
      ...shared,
      { name: words('entityId'), value: provider.entityId },
      { name: words('ssoUrl'), value: provider.ssoUrl },
      { name: words('nameIdFormat'), value: provider.nameIdFormat },
      { name: words('forceAuthn'), value: uiWords(provider.forceAuthn ? 'yes' : 'no') },
    ];
  return [
    ...shared,
    { name: words('issuer'), value: provider.issuer },
    { name: words('clientId'), value: provider.clientId },
    { name: words('clientSecret'), value: words(provider.hasClientSecret ? 'secretStored' : 'secretMissing') },
    { name: words('clientSecretExpiresAt'), value: provider.clientSecretExpiresAt?.slice(0, 10) },
    { name: words('oidcScopes'), value: provider.scopes },
  ];
}

function usePeopleFacts(provider: Provider): readonly Fact[] {
  const words = useTranslations('signOn');
  const uiWords = useTranslations('ui');
  const { ownerScope, autoProvision, defaultRoleId, allowedDomains, trustsIdpMfa, mfaEvidence } = provider;
  const { data: roles = [] } = useQuery({ ...rolesQuery(ownerScope), enabled: defaultRoleId !== null });
  const role = roles.find(({ id }) => id === defaultRoleId)?.name;
  const newcomers = [
    { name: words('autoProvision'), value: words(autoProvision ? 'madeAtSignIn' : 'byInvitation') },
    { name: words('defaultRole'), value: autoProvision && (defaultRoleId ? role : words('noRole')) },
  ];
  return [
    ...(ownerScope === 'organization' ? newcomers : []),
    {
      name: words('allowedDomains'),
      value: allowedDomains?.split(',').map(shownDomain).join(', ') ?? words('allDomains'),
    },
    { name: words('trustsIdpMfa'), value: uiWords(trustsIdpMfa ? 'yes' : 'no') },
    { name: words('evidenceTitle'), value: mfaEvidence.join(', ') },
  ];
}

function Settings({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const mapping = MAPPED.map((field) => ({
    name: words(`mapped.${field}`),
    value: provider.attributeMapping[field],
  }));
  return (
    <Stack className="gh-card" component="section">
      <Title order={2}>{words('connection')}</Title>
      <Facts facts={useConnectionFacts(provider)} />
      <Title order={2}>{words('mapping')}</Title>
      <Facts facts={mapping} />
      <Title order={2}>{words('people')}</Title>
      <Facts facts={usePeopleFacts(provider)} />
    </Stack>
  );
}

function Actions({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const navigate = useNavigate();
  const { id, name } = provider;
  return (
    <>
      {useCan()('PATCH /sso/providers/{id}') && (
        <Button component={Link} to="/sign-on/$providerId/edit" params={{ providerId: id } as never} variant="default">
          {words('edit')}
        </Button>
      )}
      <ConfirmButton
        label={words('delete')}
        title={words('deleteTitle', { name })}
        needs="DELETE /sso/providers/{id}"
        name={name}
        changes={CHANGES}
        act={() => deleteProvider(provider)}
        onDone={() => void navigate({ to: '/sign-on' })}
      >
        {words('deleteText')}
      </ConfirmButton>
    </>
  );
}

function Body({ provider }: { readonly provider: Provider }) {
  return (
    <div className="gh-columns">
      <Stack>
        <GoLive provider={provider} />
        <Suspense fallback={null}>
          <ProviderTest provider={provider} />
        </Suspense>
      </Stack>
      <Stack>
        {provider.type === 'saml' && <Certificates provider={provider} />}
        {provider.type === 'saml' && <Encryption provider={provider} />}
        <Suspense fallback={null}>{provider.type === 'saml' && <MetadataWatch provider={provider} />}</Suspense>
        <RenewLink provider={provider} />
        <LastSignIns providerId={provider.id} />
        <Settings provider={provider} />
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
            <Badge size="md" color={COLORS[provider.status]}>
              {words(`statuses.${provider.status}`)}
            </Badge>
          }
          actions={<Actions provider={provider} />}
          orgId={provider.orgId}
        >
          <Body provider={provider} />
        </Page>
      )}
    </QueryView>
  );
}
