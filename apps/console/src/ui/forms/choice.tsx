import { NativeSelect, type NativeSelectProps } from '@mantine/core';

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
  return (
    <NativeSelect
      {...input}
      data={[...(isEmpty ? [{ value: '', label: none ?? '' }] : []), ...data]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(data.find((one) => one.value === currentTarget.value)?.value ?? null)}
    />
  );
}
