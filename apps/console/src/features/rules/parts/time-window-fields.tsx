import { Checkbox, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { Draft } from '../model.ts';
import { later } from '../../../ui/later/later.ts';

/** Loaded for the rules that have a window. */
const TimeWindow = later(async () => ({ default: (await import('./time-window.tsx')).TimeWindow }));

interface TimeWindowFieldsProps {
  readonly value: Draft['timeWindow'];
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (value: Draft['timeWindow']) => void;
}

const WORKING_DAYS = [1, 2, 3, 4, 5];
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Restricts a rule to hours and days. */
export function TimeWindowFields({ value, errors, onChange }: TimeWindowFieldsProps) {
  const words = useTranslations('rules');
  const toggle = (on: boolean) =>
    onChange(on ? { start: '08:00', end: '17:00', days: WORKING_DAYS, timezone: zoneHere() } : null);
  return (
    <Stack gap="xs">
      <Checkbox
        label={words('window')}
        checked={value !== null}
        onChange={({ currentTarget }) => toggle(currentTarget.checked)}
      />
      <Suspense fallback={null}>{value && <TimeWindow {...{ value, errors, onChange }} />}</Suspense>
    </Stack>
  );
}
