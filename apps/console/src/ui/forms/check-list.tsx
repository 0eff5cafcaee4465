import { Checkbox, ScrollArea, Stack } from '@mantine/core';

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
