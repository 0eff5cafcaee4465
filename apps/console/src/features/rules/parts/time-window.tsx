import { Chip, Group, TextInput } from '@mantine/core';
import { useLocale, useTranslations } from 'use-intl';
import { type Draft, weekOf } from '../model.ts';

interface TimeWindowProps {
  readonly value: NonNullable<Draft['timeWindow']>;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (value: Draft['timeWindow']) => void;
}

interface DaysProps {
  readonly value: readonly number[];
  readonly onChange: (value: number[]) => void;
}

function Days({ value, onChange }: DaysProps) {
  const words = useTranslations('rules');
  return (
    <Chip.Group multiple value={value.map(String)} onChange={(days) => onChange(days.map(Number))}>
      <Group gap={4} role="group" aria-label={words('windowDays')}>
        {weekOf(useLocale()).map((day) => (
          <Chip key={day} value={String(day)} size="xs">
            {words(`days.d${day}`)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

/** The hours and days of a rule, in the zone that it names. */
export function TimeWindow({ value, errors, onChange }: TimeWindowProps) {
  const words = useTranslations('rules');
  return (
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
  );
}
