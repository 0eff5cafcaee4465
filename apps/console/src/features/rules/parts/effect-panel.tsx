import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { NumberField } from '../../../ui/forms/number-field.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { fileNameOf } from '../../../ui/text/safe-text-model.ts';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { type Draft, type Finding, isComplete } from '../model.ts';
import { type Effect, effectQuery } from '../queries.ts';
import { Findings } from './findings.tsx';
import { PerDay } from './per-day.tsx';

const DEBOUNCE_MS = 400;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;
const NAME_LENGTH = 40;
const SHOWN = 8;
const NONE: readonly Finding[] = [];

interface EffectPanelProps {
  readonly orgId: string;
  readonly ruleId?: string;
  readonly draft: Draft;
  readonly onShown: (shown: ShownEffect) => void;
}

/** What is on screen: the draft that it belongs to, and what is wrong with it. */
export interface ShownEffect {
  readonly draft: Draft | null;
  readonly findings: readonly Finding[];
  readonly error: Error | null;
}

function Transitions({ summary: { transitions } }: Effect) {
  const words = useTranslations('rules.effect');
  return (
    <Group gap="xs">
      {transitions.map(({ from, to, count }) => (
        <Badge
          key={`${from} ${to}`}
          variant="light"
          tt="none"
          color={to === 'auto_approved' ? 'orange' : 'blue'}
          className="gh-status"
        >
          {words('transition', { from: words(`outcome.${from}`), to: words(`outcome.${to}`) })} {count}
        </Badge>
      ))}
    </Group>
  );
}

/** The rules and policies that decide first what the draft would match. */
function TakenBy({ takenBy }: Effect) {
  const words = useTranslations('rules.effect');
  if (takenBy.length === 0) return null;
  return (
    <Text size="sm">
      {words('takenBy')}: {takenBy.map(({ name, count }) => `${name} (${count})`).join(', ')}
    </Text>
  );
}

function Sample({ sample }: Effect) {
  const words = useTranslations('rules.effect');
  return sample.slice(0, SHOWN).map(({ requestId, requestedAt, before, after, ...request }) => (
    <Group key={requestId} gap="xs">
      <Text size="sm" c="dimmed">
        <Instant at={requestedAt} />
      </Text>
      <Link to="/requests/$requestId" params={{ requestId }}>
        <SafeText value={fileNameOf(request.targetExecutablePath ?? request.deviceHostname)} most={NAME_LENGTH} />
      </Link>
      <SafeText value={request.deviceHostname} most={NAME_LENGTH} />
      <Text size="sm" fw={before.outcome === 'denied' && after.outcome === 'auto_approved' ? 700 : undefined}>
        {words('transition', { from: words(`outcome.${before.outcome}`), to: words(`outcome.${after.outcome}`) })}
      </Text>
    </Group>
  ));
}

function Shown({ effect, orgId }: { readonly effect: Effect; readonly orgId: string }) {
  const words = useTranslations('rules.effect');
  const { changed, totalScanned, truncated } = effect.summary;
  return (
    <>
      <Text fw={600}>{words('changed', { changed, total: totalScanned })}</Text>
      {truncated && <Text size="sm">{words('truncated')}</Text>}
      <Transitions {...effect} />
      <TakenBy {...effect} />
      <PerDay days={effect.perDay} />
      <Findings findings={effect.summary.lint} orgId={orgId} />
      <Sample {...effect} />
    </>
  );
}

/** What the draft would have done to the requests of the last days, with everything before and behind it. */
export function EffectPanel({ orgId, ruleId, draft, onShown }: EffectPanelProps) {
  const words = useTranslations('rules.effect');
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [settled] = useDebouncedValue(draft, DEBOUNCE_MS);
  const query = useQuery(effectQuery({ orgId, ruleId, draft: settled, windowDays: days }));
  const { error } = query;
  const isShown = settled === draft && (error !== null || (query.isSuccess && !query.isPlaceholderData));
  const findings = query.data?.summary.lint ?? NONE;
  useEffect(
    () => onShown({ draft: isShown ? draft : null, findings, error }),
    [isShown, draft, findings, error, onShown],
  );
  return (
    <Stack className="gh-card" aria-live="polite">
      <Group justify="space-between">
        <Title order={2}>{words('title', { days })}</Title>
        <NumberField
          aria-label={words('days')}
          size="xs"
          w={80}
          min={1}
          max={MAX_DAYS}
          value={days}
          onChange={(value) => value !== '' && setDays(Math.min(Math.max(value, 1), MAX_DAYS))}
        />
      </Group>
      <Refusal error={query.error} />
      {draft.mode === 'shadow' && <Text size="sm">{words('watched')}</Text>}
      {isComplete(draft) ? (
        query.data && <Shown effect={query.data} orgId={orgId} />
      ) : (
        <Text c="dimmed">{words('incomplete')}</Text>
      )}
    </Stack>
  );
}
