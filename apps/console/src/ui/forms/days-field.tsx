import { NumberField } from './inputs.tsx';

interface DaysFieldProps {
  readonly label: string;
  readonly days: number;
  readonly most: number;
  readonly onDays: (days: number) => void;
}

/** For how many days of the past something is computed: from one to a limit. */
export function DaysField({ label, days, most, onDays }: DaysFieldProps) {
  return (
    <NumberField
      aria-label={label}
      size="xs"
      w={80}
      min={1}
      max={most}
      value={days}
      onChange={(value) => value !== '' && onDays(Math.min(Math.max(value, 1), most))}
    />
  );
}
