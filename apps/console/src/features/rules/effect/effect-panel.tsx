import { Group, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useMemo, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { DaysField } from '../../../ui/forms/inputs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { Findings } from '../lint/findings.tsx';
import { type Draft, type Finding, isComplete } from '../model.ts';
import { type Effect, effectQuery } from '../queries.ts';
import { ReplayDetails } from './replay-details.tsx';

const HEIGHT = 36;
const STEP = 8;
const BAR = 6;

/** How many decisions a day would change, as small bars that name their day. */
function PerDay({ days }: { readonly days: Effect['perDay'] }) {
  const words = useTranslations('rules.effect');
  const format = useFormatter();
  const most = Math.max(...days.map(({ changed }) => changed), 0);
  if (most === 0) return null;
  return (
    <svg
      role="img"
      aria-label={words('daily')}
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
      height={HEIGHT}
      preserveAspectRatio="xMinYMid meet"
      className="gh-bars"
    >
      {days.map(({ day, scanned, changed }, at) => {
        const height = Math.max((changed / most) * HEIGHT, 1);
        return (
          <rect key={day} x={at * STEP} y={HEIGHT - height} width={BAR} height={height} rx={1}>
            <title>{words('perDay', { changed, scanned, day: format.dateTime(new Date(day), 'day') })}</title>
          </rect>
        );
      })}
    </svg>
  );
}

const DEBOUNCE_MS = 400;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;
/** What the answer calls a rule that does not exist yet. */
const NEW_RULE = 'draft';

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

interface ShownProps extends ComponentProps<typeof ReplayDetails> {
  readonly findings: readonly Finding[];
  /** When the effect was computed: another one closes what was opened. */
  readonly at: number;
}

function Shown({ findings, at, ...behind }: ShownProps) {
  const { effect, orgId } = behind;
  const words = useTranslations('rules.effect');
  const { changed, totalScanned, truncated } = effect.summary;
  return (
    <>
      <Text fw={600}>{words('changed', { changed, total: totalScanned })}</Text>
      {truncated && <Text size="sm">{words('truncated')}</Text>}
      <TakenBy {...effect} />
      <PerDay days={effect.perDay} />
      <Findings findings={findings} orgId={orgId} />
      <ReplayDetails key={at} {...behind} />
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
  const lint = query.data?.summary.lint;
  const own = ruleId ?? NEW_RULE;
  const findings = useMemo(() => lint?.filter((finding) => finding.ruleId === own) ?? [], [lint, own]);
  useEffect(
    () => onShown({ draft: isShown ? draft : null, findings, error }),
    [isShown, draft, findings, error, onShown],
  );
  return (
    <Stack className="gh-card" aria-live="polite">
      <Group justify="space-between">
        <Title order={2}>{words('title', { days })}</Title>
        <DaysField label={words('days')} days={days} most={MAX_DAYS} onDays={setDays} />
      </Group>
      <Refusal error={query.error} />
      {draft.mode === 'shadow' && <Text size="sm">{words('watched')}</Text>}
      {isComplete(draft) ? (
        query.data && (
          <Shown
            effect={query.data}
            at={query.dataUpdatedAt}
            draft={settled}
            windowDays={days}
            {...{ findings, orgId, ruleId }}
          />
        )
      ) : (
        <Text c="dimmed">{words('incomplete')}</Text>
      )}
    </Stack>
  );
}
