import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Mapping, Target } from './mapping.ts';
import './words.ts';

interface MapColumnsProps {
  readonly targets: readonly Target[];
  readonly header: readonly string[];
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

/** Says which column fills which member. */
export function MapColumns({ targets, header, mapping, onChange }: MapColumnsProps) {
  const words = useTranslations('import');
  const columns = header.map((name, column) => ({
    value: String(column),
    label: name || words('column', { number: column + 1 }),
  }));
  const choose = (name: string, value: string) => {
    const others = Object.entries(mapping).filter(([each]) => each !== name);
    onChange(Object.fromEntries(value === '' ? others : [...others, [name, Number(value)]]));
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
      {targets.map(({ name, label }) => (
        <NativeSelect
          key={name}
          label={label}
          data={[{ value: '', label: words('noColumn') }, ...columns]}
          value={mapping[name] ?? ''}
          onChange={({ currentTarget }) => choose(name, currentTarget.value)}
        />
      ))}
    </SimpleGrid>
  );
}
