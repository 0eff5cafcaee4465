import { Radio, Stack, Switch, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Draft, placedAt, type Precedence, PRECEDENCES } from '../model.ts';
import '../partner-words.ts';

interface PartnerPlaceProps {
  readonly draft: Draft;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** Where a rule of the partner stands, and whether organisations may leave it. */
export function PartnerPlaceFields({ draft, errors, onChange }: PartnerPlaceProps) {
  const words = useTranslations('partnerRules');
  const { precedence, optOut } = draft;
  return (
    <>
      <Radio.Group
        label={words('precedence')}
        value={precedence}
        error={errors['precedence']}
        onChange={(value) => onChange(placedAt(draft, value as Precedence))}
      >
        <Stack gap="xs" mt={4}>
          {PRECEDENCES.map((value) => (
            <Radio
              key={value}
              value={value}
              label={words(`places.${value}`)}
              description={words(`placeTexts.${value}`)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {precedence === 'before' ? (
        <Switch
          label={words('mayLeave')}
          description={words('mayLeaveText')}
          checked={optOut === 'allowed'}
          onChange={({ currentTarget }) => onChange({ optOut: currentTarget.checked ? 'allowed' : 'none' })}
        />
      ) : (
        <Text className="gh-hint">{words('alwaysLeave')}</Text>
      )}
    </>
  );
}
