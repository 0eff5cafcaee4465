import { Badge, Group, NumberInput, Stack, Text, Title } from '@mantine/core';
import { ok } from '@gatehouse/client';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../../api/client.ts';
import { Refusal } from '../../../ui/dialogs.tsx';
import { StatusBadge } from '../../../ui/elevation/badges.tsx';
import { Instant } from '../../../ui/time.tsx';
import { bodyOf, CRITERION_NAMES, type Draft } from '../model.ts';

const DEBOUNCE_MS = 400;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;

interface EffectPanelProps {
  readonly orgId: string;
  readonly ruleId?: string;
  readonly draft: Draft;
  /** Told which draft the effect on screen belongs to. */
  readonly onShown: (draft: Draft | null) => void;
}

const isComplete = ({ criteria }: Draft) => CRITERION_NAMES.some((name) => criteria[name]?.trim());

const effectQuery = (orgId: string, draft: Draft, windowDays: number) =>
  queryOptions({
    queryKey: ['rules', 'effect', orgId, windowDays, bodyOf(draft)],
    enabled: isComplete(draft),
    queryFn: async ({ signal }) => {
      const { name: _name, ...body } = bodyOf(draft);
      const effect = await ok(
        api.POST('/pam/rules/preview', { body: { ...body, orgId, windowDays } as never, signal }),
      );
      return { effect, draft };
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });

/** What the draft would have done to the requests of the last days. */
export function EffectPanel({ orgId, draft, onShown }: EffectPanelProps) {
  const words = useTranslations('rules.effect');
  const [days, setDays] = useState(DEFAULT_DAYS);
  const [settled] = useDebouncedValue(draft, DEBOUNCE_MS);
  const query = useQuery(effectQuery(orgId, settled, days));
  const isShown = settled === draft && (query.isError || (query.isSuccess && !query.isPlaceholderData));
  useEffect(() => onShown(isShown ? draft : null), [isShown, draft, onShown]);
  const effect = query.data?.effect;
  return (
    <Stack className="gh-card" aria-live="polite">
      <Group justify="space-between">
        <Title order={2}>{words('title', { days })}</Title>
        <NumberInput
          aria-label={words('days')}
          size="xs"
          w={80}
          min={1}
          max={MAX_DAYS}
          value={days}
          onChange={(value) => typeof value === 'number' && setDays(value)}
        />
      </Group>
      <Refusal error={query.error} />
      {!isComplete(draft) && <Text c="dimmed">{words('incomplete')}</Text>}
      {effect && <Text fw={600}>{words('changed', { changed: effect.totalMatched, total: effect.totalScanned })}</Text>}
      {effect?.truncated && <Badge variant="light">{words('truncated')}</Badge>}
      {effect?.sample.map((request) => (
        <Group key={request.id} gap="xs">
          <Text size="sm">
            <Instant at={request.requestedAt} />
          </Text>
          <StatusBadge status={request.status} />
        </Group>
      ))}
    </Stack>
  );
}
