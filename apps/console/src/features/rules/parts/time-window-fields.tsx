import { Checkbox, Chip, Group, Stack, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Draft } from '../model.ts';

interface TimeWindowFieldsProps {
  readonly value: Draft['timeWindow'];
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (value: Draft['timeWindow']) => void;
}

const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;
const WORKING_DAYS = [1, 2, 3, 4, 5];
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

interface DaysProps {
  readonly value: readonly number[];
  readonly onChange: (value: number[]) => void;
}

function Days({ value, onChange }: DaysProps) {
  const words = useTranslations('rules');
  return (
    <Chip.Group multiple value={value.map(String)} onChange={(days) => onChange(days.map(Number))}>
      <Group gap={4} role="group" aria-label={words('windowDays')}>
        {WEEK.map((day) => (
          <Chip key={day} value={String(day)} size="xs">
            {words(`days.d${day}`)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

/** Restricts a rule to hours and days, in the zone that it names. */
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
      {value && (
        <>
          <Group gap="xs" align="flex-end">
            <TextInput
              type="time"
              label={words('windowStart')}
              value={value.start}
              error={errors['timeWindow.start']}
              onChange={({ currentTarget }) => onChange({ ...value, start: currentTarget.value })}
            />
            <TextInput
              type="time"
              label={words('windowEnd')}
              value={value.end}
              error={errors['timeWindow.end']}
              onChange={({ currentTarget }) => onChange({ ...value, end: currentTarget.value })}
            />
            <TextInput
              label={words('windowZone')}
              value={value.timezone ?? ''}
              error={errors['timeWindow.timezone']}
              onChange={({ currentTarget }) => onChange({ ...value, timezone: currentTarget.value })}
            />
          </Group>
          <Days value={value.days ?? []} onChange={(days) => onChange({ ...value, days })} />
        </>
      )}
    </Stack>
  );
}
