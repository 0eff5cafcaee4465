import { TextInput, type TextInputProps } from '@mantine/core';

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
