import { CRITERIA } from '@gatehouse/client';
import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconX } from '../../../ui/icons.tsx';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { Choice } from '../../../ui/forms/inputs.tsx';
import { type Criterion, CRITERION_NAMES, type Draft } from '../model.ts';
import { useSignerGroups } from '../queries.ts';

interface FieldProps {
  readonly name: Criterion;
  readonly value: string;
  /** Null for a rule of the partner. */
  readonly orgId: string | null;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

const TIERS = ['0', '1', '2', '3', '4'];

function GroupField({ name, value, orgId, error, onChange }: FieldProps) {
  const words = useTranslations('rules');
  const { isReadable, groups } = useSignerGroups(orgId);
  if (!isReadable) return <Text size="sm">{words('partnerGroup')}</Text>;
  return (
    <Choice
      aria-label={words('value', { name: words(`criterion.${name}`) })}
      data={groups.map((group) => ({ value: group.id, label: group.name }))}
      value={value || null}
      error={error}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}

function ValueField(props: FieldProps) {
  const words = useTranslations('rules');
  const { name, value, error, onChange } = props;
  const label = words('value', { name: words(`criterion.${name}`) });
  if (name === 'signerGroup') return <GroupField {...props} />;
  if (name === 'riskTier') {
    return (
      <Choice
        aria-label={label}
        data={TIERS.map((tier) => ({ value: tier, label: tier }))}
        value={value || null}
        error={error}
        onChange={(next) => onChange(next ?? '')}
      />
    );
  }
  return (
    <TextInput
      aria-label={label}
      classNames={{ input: 'gh-mono' }}
      value={value}
      error={error}
      {...inputLimits('POST /pam/rules', CRITERIA[name])}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface CriterionRowProps extends FieldProps {
  readonly negated: boolean;
  readonly onNegate: (negated: boolean) => void;
  readonly onRemove: () => void;
}

function CriterionRow({ negated, onNegate, onRemove, ...field }: CriterionRowProps) {
  const words = useTranslations('rules');
  const label = words(`criterion.${field.name}`);
  return (
    <Group gap="xs" className="gh-criterion">
      <Text size="sm" w={130}>
        {label}
      </Text>
      <Choice
        aria-label={words('negate', { name: label })}
        value={negated ? 'isNot' : 'is'}
        data={[
          { value: 'is', label: words('is') },
          { value: 'isNot', label: words('isNot') },
        ]}
        w={95}
        onChange={(value) => onNegate(value === 'isNot')}
      />
      <ValueField {...field} />
      <ActionIcon variant="subtle" color="gray" aria-label={words('remove', { name: label })} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  );
}

interface AddCriterionProps {
  readonly free: readonly Criterion[];
  readonly onAdd: (name: Criterion) => void;
}

function AddCriterion({ free, onAdd }: AddCriterionProps) {
  const words = useTranslations('rules');
  return (
    <Choice
      className="gh-add"
      aria-label={words('add')}
      none={words('add')}
      data={free.map((name) => ({ value: name, label: words(`criterion.${name}`) }))}
      value={null}
      w={220}
      onChange={(name) => name && onAdd(name)}
    />
  );
}

interface CriteriaFieldsProps {
  readonly draft: Draft;
  readonly orgId: string | null;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** The criteria of a rule, all of which have to hold. */
export function CriteriaFields({ draft, orgId, errors, onChange }: CriteriaFieldsProps) {
  const { criteria, negated } = draft;
  const present = CRITERION_NAMES.filter((name) => criteria[name] !== undefined);
  const set = (name: Criterion, value: string) => onChange({ criteria: { ...criteria, [name]: value } });
  const remove = (gone: Criterion) => {
    const left = Object.entries(criteria).filter(([name]) => name !== gone);
    onChange({ criteria: Object.fromEntries(left), negated: negated.filter((name) => name !== gone) });
  };
  const negate = (name: Criterion, on: boolean) =>
    onChange({ negated: on ? [...negated, name] : negated.filter((one) => one !== name) });
  return (
    <Stack gap="xs">
      {present.map((name) => (
        <CriterionRow
          key={name}
          name={name}
          value={criteria[name] ?? ''}
          orgId={orgId}
          error={errors[CRITERIA[name]]}
          negated={negated.includes(name)}
          onChange={(value) => set(name, value)}
          onNegate={(on) => negate(name, on)}
          onRemove={() => remove(name)}
        />
      ))}
      <AddCriterion free={CRITERION_NAMES.filter((name) => !present.includes(name))} onAdd={(name) => set(name, '')} />
    </Stack>
  );
}
