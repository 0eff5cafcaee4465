import { Group, Radio } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { OWNERS } from '../queries.ts';
import { useOwnerField } from '../parts/library-page.tsx';

interface OwnerChoiceProps {
  readonly value: (typeof OWNERS)[number];
  readonly onChange: (owner: (typeof OWNERS)[number]) => void;
}

/** To whom imported things belong; absent where there is no choice. */
export function OwnerChoice({ value, onChange }: OwnerChoiceProps) {
  const words = useTranslations('library');
  const { field } = useOwnerField('owner');
  const choices = field.choices ?? [];
  if (choices.length < 2) return null;
  return (
    <Radio.Group
      label={words('owner')}
      value={value}
      onChange={(next) => onChange(OWNERS.find((owner) => owner === next) ?? value)}
    >
      <Group mt="xs">
        {choices.map((choice) => (
          <Radio key={choice.value} value={choice.value} label={choice.label} />
        ))}
      </Group>
    </Radio.Group>
  );
}
