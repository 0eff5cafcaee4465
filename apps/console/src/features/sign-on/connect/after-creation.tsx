import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Navigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { QueryView } from '../../../ui/state-views.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import type { Provider } from '../model.ts';
import { Domains } from '../parts/domains.tsx';
import { Encryption } from '../parts/encryption.tsx';
import { GoLive } from '../parts/go-live.tsx';
import { LastSignIns } from '../parts/last-sign-ins.tsx';
import { ProviderTest } from '../parts/provider-test.tsx';
import { providerQuery } from '../queries.ts';
import { type Step, useIsProven, useMove } from './use-move.ts';

const ProviderEditor = lazyPart(async () => ({
  default: (await import('../parts/provider-editor.tsx')).ProviderEditor,
}));
const route = getRouteApi('/sign-on/new');

function Test({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const move = useMove();
  const isProven = useIsProven(provider.id);
  return (
    <div className="gh-columns">
      <Stack>
        <ProviderTest provider={provider} isNew />
        <Group justify="flex-end">
          {!isProven && <Text size="sm">{words('testFirst')}</Text>}
          <Button variant="default" onClick={() => move('settings')}>
            {words('back')}
          </Button>
          <Button disabled={!isProven} onClick={() => move('people')}>
            {words('next')}
          </Button>
        </Group>
      </Stack>
      <Stack>
        <LastSignIns providerId={provider.id} />
        {provider.type === 'saml' && <Encryption provider={provider} />}
      </Stack>
    </div>
  );
}

function People({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const move = useMove();
  return (
    <div className="gh-columns">
      <Stack>
        <GoLive provider={provider} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => move('test')}>
            {words('back')}
          </Button>
          <Button component={Link} to="/sign-on/$providerId" params={{ providerId: provider.id } as never}>
            {words('finish')}
          </Button>
        </Group>
      </Stack>
      <Stack>
        <LastSignIns providerId={provider.id} />
        {provider.orgId && <Domains orgId={provider.orgId} />}
      </Stack>
    </div>
  );
}

interface AfterCreationProps {
  readonly providerId: string;
  readonly step: Exclude<Step, 'choose'>;
}

/** The steps of a provider that exists: its settings, its test, and going live once it has passed. */
export function AfterCreation({ providerId, step }: AfterCreationProps) {
  const move = useMove();
  const { field } = route.useSearch();
  const isProven = useIsProven(providerId);
  return (
    <QueryView query={useQuery(providerQuery(providerId))}>
      {(provider) => {
        if (step === 'settings')
          return (
            <Suspense fallback={null}>
              <ProviderEditor provider={provider} field={field} onBack={() => move('test')} />
            </Suspense>
          );
        if (step === 'test') return <Test provider={provider} />;
        if (isProven) return <People provider={provider} />;
        return <Navigate to="/sign-on/new" search={(search) => ({ ...search, step: 'test' as const })} replace />;
      }}
    </QueryView>
  );
}
