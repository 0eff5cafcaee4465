import { Group, Radio } from '@mantine/core';

interface ModeChoiceProps<Mode extends string> {
  readonly label: string;
  readonly modes: readonly Mode[];
  readonly labelOf: (mode: Mode) => string;
  readonly mode: Mode;
  readonly onMode: (mode: Mode) => void;
}

/** What becomes of rows that are there already. */
export function ModeChoice<Mode extends string>({ label, modes, labelOf, mode, onMode }: ModeChoiceProps<Mode>) {
  return (
    <Radio.Group label={label} value={mode} onChange={(next) => onMode(modes.find((one) => one === next) ?? mode)}>
      <Group mt="xs">
        {modes.map((one) => (
          <Radio key={one} value={one} label={labelOf(one)} />
        ))}
      </Group>
    </Radio.Group>
  );
}
