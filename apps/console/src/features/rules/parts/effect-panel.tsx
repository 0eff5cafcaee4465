import { Alert, Badge, Group, Stack, Text, Title } from '@mantine/core';
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
import { type Draft, isComplete } from '../model.ts';
import { type Effect, effectQuery } from '../queries.ts';

const DEBOUNCE_MS = 400;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;
const NAME_LENGTH = 40;
const SHOWN = 8;

interface EffectPanelProps {
  readonly orgId: string;
  readonly ruleId?: string;
  readonly draft: Draft;
  /** Told which draft the effect on screen belongs to. */
  readonly onShown: (draft: Draft | null) => void;
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
      <Text size="sm">
        {words('transition', { from: words(`outcome.${before.outcome}`), to: words(`outcome.${after.outcome}`) })}
      </Text>
    </Group>
  ));
}

/** What the linter finds wrong with the draft itself. */
function Findings({ summary: { lint } }: Effect) {
  return lint.map(({ code, severity, detail, suggestion }) => (
    <Alert key={`${code} ${detail}`} color={severity === 'error' ? 'red' : 'orange'} variant="light">
      {detail} {suggestion}
    </Alert>
  ));
}

function Shown({ effect }: { readonly effect: Effect }) {
  const words = useTranslations('rules.effect');
  const { changed, totalScanned, truncated } = effect.summary;
  return (
    <>
      <Text fw={600}>{words('changed', { changed, total: totalScanned })}</Text>
      {truncated && <Text size="sm">{words('truncated')}</Text>}
      <Transitions {...effect} />
      <TakenBy {...effect} />
      <Findings {...effect} />
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
  const isShown = settled === draft && (query.isError || (query.isSuccess && !query.isPlaceholderData));
  useEffect(() => onShown(isShown ? draft : null), [isShown, draft, onShown]);
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
      {isComplete(draft) ? query.data && <Shown effect={query.data} /> : <Text c="dimmed">{words('incomplete')}</Text>}
    </Stack>
  );
}
