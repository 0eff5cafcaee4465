import { SimpleGrid, Stack, Stepper, Text, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import type { Owner } from '../connect/new-settings.tsx';
import { useIsProven, useMove } from '../connect/use-move.ts';
import { OTHERS, type Preset, STEPS, type Typed } from '../model.ts';
import { presetsQuery } from '../queries.ts';
import '../words.ts';

/** Each step is loaded when it is reached. */
const NewSettings = lazyPart(async () => ({ default: (await import('../connect/new-settings.tsx')).NewSettings }));
const AfterCreation = lazyPart(async () => ({
  default: (await import('../connect/after-creation.tsx')).AfterCreation,
}));
const ChooseOrganization = lazyPart(async () => ({
  default: (await import('../../../ui/place/choose-organization.tsx')).ChooseOrganization,
}));
const route = getRouteApi('/sign-on/new');

function Choose() {
  const words = useTranslations('signOn');
  const move = useMove();
  const { preset, provider } = route.useSearch();
  // Another choice is another provider.
  const choose = (id: string) => move('settings', { preset: id, provider: id === preset ? provider : undefined });
  return (
    <QueryView query={useQuery(presetsQuery)}>
      {({ data: presets }) => (
        <Stack>
          <Title order={2}>{words('chooseTitle')}</Title>
          <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
            {[...presets, ...OTHERS].map(({ id, name, type }) => (
              <UnstyledButton key={id} className="gh-card gh-choice" onClick={() => choose(id)}>
                <Text fw={600}>{name || words('other')}</Text>
                <Text className="gh-hint">{words(`types.${type}`)}</Text>
              </UnstyledButton>
            ))}
          </SimpleGrid>
        </Stack>
      )}
    </QueryView>
  );
}

const NOTHING: Typed = { values: {} };

interface StepsProps {
  /** What was typed, by preset: going back and forth loses none of it. */
  readonly typed: Readonly<Record<string, Typed>>;
  readonly onType: (preset: string, typed: Typed) => void;
}

function Settings({ preset, typed, onType }: StepsProps & { readonly preset: Preset }) {
  const { orgId: ownOrg } = useMe();
  const { org, provider, field } = route.useSearch();
  const move = useMove();
  const orgId = ownOrg ?? org;
  const owner: Owner = orgId ? { ownerScope: 'organization', orgId } : { ownerScope: 'partner' };
  return (
    <NewSettings
      {...{ preset, owner, provider, field }}
      typed={typed[preset.id] ?? NOTHING}
      onType={(next) => onType(preset.id, next)}
      onBack={() => move('choose')}
      onSaved={(id) => move('test', { provider: id })}
    />
  );
}

/** What is chosen, as long as its form holds what was typed: after a reload the provider's own settings stand there. */
function useTypedForm(typed: StepsProps['typed']): Preset | undefined {
  const { preset, provider } = route.useSearch();
  const presets = useQuery(presetsQuery).data?.data ?? [];
  const chosen = [...presets, ...OTHERS].find(({ id }) => id === preset);
  return chosen && (!provider || typed[chosen.id]?.saved) ? chosen : undefined;
}

function PresentStep(props: StepsProps) {
  const { step = 'choose', provider } = route.useSearch();
  const preset = useTypedForm(props.typed);
  if (step === 'settings' && preset) return <Settings preset={preset} {...props} />;
  if (provider && step !== 'choose') return <AfterCreation key={provider} providerId={provider} step={step} />;
  return <Choose />;
}

/** Where one is. Until the provider has passed a test, no step counts as done. */
function Progress() {
  const words = useTranslations('signOn');
  const { step = 'choose', provider } = route.useSearch();
  const isProven = useIsProven(provider);
  return (
    <Stepper active={STEPS.indexOf(step)} size="sm" allowNextStepsSelect={false}>
      {STEPS.map((name, at) => (
        <Stepper.Step
          key={name}
          label={words(`steps.${name}`)}
          {...(!isProven && { completedIcon: at + 1, ...(name !== step && { color: 'gray' }) })}
        />
      ))}
    </Stepper>
  );
}

/** Connects an identity provider: choose it, set both sides up, test, go live. */
export function ConnectProvider() {
  const words = useTranslations('signOn');
  const { org } = route.useSearch();
  const [typed, setTyped] = useState<StepsProps['typed']>({});
  const type: StepsProps['onType'] = (preset, next) => setTyped((before) => ({ ...before, [preset]: next }));
  const isUnowned = useMe().scope === 'system' && org === undefined;
  return (
    <Page title={words('connect')}>
      <Progress />
      <Suspense fallback={null}>
        {isUnowned && <Text size="sm">{words('operatorText')}</Text>}
        {isUnowned ? <ChooseOrganization /> : <PresentStep typed={typed} onType={type} />}
      </Suspense>
    </Page>
  );
}
