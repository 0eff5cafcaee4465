import {
  Checkbox,
  NativeSelect,
  type NativeSelectProps,
  ScrollArea,
  Stack,
  Text,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { lazyPart } from '../later/lazy-part.ts';
import type { DateFieldProps } from './date-field.tsx';

interface NumberFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  readonly value?: number | '';
  readonly onChange: (value: number | '') => void;
}

/** A whole number; the browser's own input keeps letters out. */
export function NumberField({ value = '', onChange, min = 0, ...props }: NumberFieldProps) {
  const read = (typed: string) => onChange(/^\d+$/.test(typed) ? Number(typed) : '');
  return (
    <TextInput
      {...props}
      type="number"
      inputMode="numeric"
      min={min}
      step={1}
      value={value}
      onChange={({ currentTarget }) => read(currentTarget.value)}
    />
  );
}

/** What reads dates is loaded when one is asked for. */
const LazyDateField = lazyPart(async () => ({ default: (await import('./date-field.tsx')).DateField }));

export function DateField(props: DateFieldProps) {
  const { withTime: _, onChange: __, ...shape } = props;
  return (
    <Suspense fallback={<TextInput {...shape} disabled />}>
      <LazyDateField {...props} />
    </Suspense>
  );
}

interface CheckListProps<T extends string> {
  readonly label: string;
  readonly data: readonly { readonly value: T; readonly label: string }[];
  readonly value: readonly string[];
  readonly error?: string | undefined;
  readonly onChange: (value: T[]) => void;
}

const MAX_HEIGHT = 180;

/** Any of some values, each with its box; a long list scrolls. */
export function CheckList<T extends string>({ data, value, onChange, ...input }: CheckListProps<T>) {
  return (
    <Checkbox.Group {...input} value={[...value]} onChange={(chosen) => onChange(chosen as T[])}>
      <ScrollArea.Autosize mah={MAX_HEIGHT} mt={4}>
        <Stack gap={6}>
          {data.map((one) => (
            <Checkbox key={one.value} value={one.value} label={one.label} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Checkbox.Group>
  );
}

interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  /** Shown, but not to be chosen; the label says why. */
  readonly disabled?: boolean;
}

interface ChoiceProps<T extends string> extends Omit<NativeSelectProps, 'data' | 'value' | 'onChange'> {
  readonly data: readonly Option<T>[];
  readonly value: T | null;
  /** The label of "none of them"; without it a choice that was made cannot be taken back. */
  readonly none?: string;
  readonly onChange: (value: T | null) => void;
}

/** One of a few values, in the menu of the browser: it costs few bytes, and a phone shows it in its own way. */
export function Choice<T extends string>({ data, value, none, onChange, ...input }: ChoiceProps<T>) {
  // A value that is none of them, such as '', has an entry too: the browser would show the first one as chosen.
  const isEmpty = none !== undefined || data.every((one) => one.value !== value);
  // One that is not among them, because they are not loaded or not for this reader, must not look like "none".
  const isHidden = none !== undefined && value && data.every((one) => one.value !== value);
  return (
    <NativeSelect
      {...input}
      data={[
        ...(isEmpty ? [{ value: '', label: none ?? '' }] : []),
        ...(isHidden ? [{ value, label: '…' }] : []),
        ...data,
      ]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(data.find((one) => one.value === currentTarget.value)?.value ?? null)}
    />
  );
}

interface DaysFieldProps {
  readonly label: string;
  readonly days: number;
  readonly most: number;
  readonly onDays: (days: number) => void;
}

/** For how many days of the past something is computed: from one to a limit. */
export function DaysField({ label, days, most, onDays }: DaysFieldProps) {
  const words = useTranslations('ui');
  return (
    <NumberField
      aria-label={label}
      size="xs"
      w={110}
      rightSection={
        <Text size="xs" c="dimmed">
          {words('days', { days })}
        </Text>
      }
      rightSectionWidth={48}
      min={1}
      max={most}
      value={days}
      onChange={(value) => value !== '' && onDays(Math.min(Math.max(value, 1), most))}
    />
  );
}
