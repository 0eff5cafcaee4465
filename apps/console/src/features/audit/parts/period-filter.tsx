import { Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Choice, DateField } from '../../../ui/forms/inputs.tsx';
import { fieldOf, instantOfField } from '../../../ui/forms/fields.ts';
import { boundsOf, type Period, PERIODS } from '../model.ts';

interface Bounds {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface PeriodFilterProps extends Bounds {
  readonly onChange: (bounds: Bounds) => void;
}

type Chosen = Bounds & { readonly period: Period | 'own' };

/** A named period, or two instants; the address holds the instants, so that a link shows the same to others. */
export function PeriodFilter({ from, to, onChange }: PeriodFilterProps) {
  const words = useTranslations('audit');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const isChosen = chosen?.from === from && chosen?.to === to;
  const unnamed = from || to ? 'own' : null;
  const period = isChosen && chosen ? chosen.period : unnamed;
  const choose = (next: Period | 'own' | null) => {
    if (next === 'own') return setChosen({ period: next, from, to });
    const bounds = { from: undefined, to: undefined, ...(next && boundsOf(next, new Date())) };
    setChosen(next && { period: next, ...bounds });
    onChange(bounds);
  };
  const field = (name: 'from' | 'to', value: string | undefined) => (
    <DateField
      withTime
      label={words(name)}
      value={fieldOf(value)}
      onChange={(next) => onChange({ from, to, [name]: instantOfField(next) })}
    />
  );
  return (
    <>
      <Choice
        aria-label={words('period')}
        none={words('anyTime')}
        w={180}
        data={[...PERIODS, 'own' as const].map((value) => ({ value, label: words(`periods.${value}`) }))}
        value={period}
        onChange={choose}
      />
      {period === 'own' && (
        <Group gap="xs" className="gh-period">
          {field('from', from)}
          {field('to', to)}
        </Group>
      )}
    </>
  );
}
