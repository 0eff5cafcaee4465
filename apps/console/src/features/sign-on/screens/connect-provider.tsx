import { SimpleGrid, Stack, Stepper, Text, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import type { Owner } from '../connect/new-settings.tsx';
import { useMove } from '../connect/use-move.ts';
import { OTHERS, type Preset, STEPS } from '../model.ts';
import { presetsQuery } from '../queries.ts';
import '../words.ts';

/** Each step is loaded when it is reached. */
const NewSettings = lazyPart(async () => ({ default: (await import('../connect/new-settings.tsx')).NewSettings }));
const AfterCreation = lazyPart(async () => ({
  default: (await import('../connect/after-creation.tsx')).AfterCreation,
}));
const route = getRouteApi('/sign-on/new');

function Choose() {
  const words = useTranslations('signOn');
  const move = useMove();
  return (
    <QueryView query={useQuery(presetsQuery)}>
      {({ data: presets }) => (
        <Stack>
          <Title order={2}>{words('chooseTitle')}</Title>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
            {[...presets, ...OTHERS].map(({ id, name, type }) => (
              <UnstyledButton key={id} className="gh-card gh-choice" onClick={() => move('settings', { preset: id })}>
                <Text fw={600}>{name || words('other')}</Text>
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

function Settings({ preset }: { readonly preset: Preset }) {
  const { orgId: ownOrg } = useMe();
  const { org } = route.useSearch();
  const move = useMove();
  const orgId = ownOrg ?? org;
  const owner: Owner = orgId ? { ownerScope: 'organization', orgId } : { ownerScope: 'partner' };
  return (
    <NewSettings
      preset={preset}
      owner={owner}
      onBack={() => move('choose')}
      onCreated={(provider) => move('test', { provider })}
    />
  );
}

function PresentStep() {
  const { step = 'choose', preset, provider } = route.useSearch();
  const presets = useQuery(presetsQuery).data?.data ?? [];
  const chosen = [...presets, ...OTHERS].find(({ id }) => id === preset);
  if (provider && step !== 'choose') return <AfterCreation key={provider} providerId={provider} step={step} />;
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
      <Suspense fallback={null}>
        <PresentStep />
      </Suspense>
    </Page>
  );
}
