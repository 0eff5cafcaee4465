import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { codeOf, fieldErrors } from '../../../api/problem.ts';
import type { Choice } from '../../../ui/conflicts/version-conflict.tsx';
import { CheckList, NumberField } from '../../../ui/forms/inputs.tsx';
import { FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { levelOf, type LevelValues, policyWith, valuesOf } from '../model.ts';
import { type ApprovalPolicy, FLOW_TYPES, groupsQuery, updateApprovalPolicy } from '../queries.ts';
import { sitesQuery } from '../../../ui/place/queries.ts';
import type { LevelBase } from './level-conflict.tsx';

/** Loaded with the first conflict. */
const LevelConflict = lazyPart(async () => ({ default: (await import('./level-conflict.tsx')).LevelConflict }));
const TIER_MAX = 4;

interface FieldsProps {
  readonly values: LevelValues;
  readonly errors: Readonly<Record<string, string>>;
  readonly orgId: string;
  readonly onChange: (change: Partial<LevelValues>) => void;
}

const choicesOf = (things: readonly { id: string; name: string }[] = []) =>
  things.map(({ id, name }) => ({ value: id, label: name }));

/** The places that the level applies to. */
function Places({ values, errors, orgId, onChange }: FieldsProps) {
  const words = useTranslations('capture');
  return (
    <>
      <CheckList
        label={words('sites')}
        data={choicesOf(useQuery(sitesQuery(orgId)).data)}
        value={values.siteIds}
        error={errors['siteIds']}
        onChange={(siteIds) => onChange({ siteIds })}
      />
      <CheckList
        label={words('groups')}
        data={choicesOf(useQuery(groupsQuery(orgId)).data)}
        value={values.deviceGroupIds}
        error={errors['deviceGroupIds']}
        onChange={(deviceGroupIds) => onChange({ deviceGroupIds })}
      />
    </>
  );
}

function Conditions(props: FieldsProps) {
  const words = useTranslations('capture');
  const { values, errors, onChange } = props;
  return (
    <>
      <CheckList
        label={words('flowTypes')}
        data={FLOW_TYPES.map((value) => ({ value, label: words(`flows.${value}`) }))}
        value={values.flowTypes}
        error={errors['flowTypes']}
        onChange={(flowTypes) => onChange({ flowTypes })}
      />
      <NumberField
        label={words('riskTierMin')}
        max={TIER_MAX}
        value={values.riskTierMin === null ? '' : Number(values.riskTierMin)}
        error={errors['riskTierMin']}
        onChange={(tier) => onChange({ riskTierMin: tier === '' ? null : String(tier) })}
      />
      <Places {...props} />
      <Checkbox
        label={words('unsigned')}
        checked={values.unsigned}
        onChange={({ currentTarget }) => onChange({ unsigned: currentTarget.checked })}
      />
    </>
  );
}

function Demand({ values, errors, onChange }: FieldsProps) {
  const words = useTranslations('capture');
  return (
    <>
      <NumberField
        label={words('approvals')}
        required
        min={1}
        max={5}
        value={values.approvals}
        error={errors['approvals']}
        onChange={(approvals) => onChange({ approvals })}
      />
      <NumberField
        label={words('pendingMinutes')}
        required
        min={5}
        max={1440}
        value={values.pendingMinutes}
        error={errors['pendingMinutes']}
        onChange={(pendingMinutes) => onChange({ pendingMinutes })}
      />
      <Checkbox
        label={words('automaticGrants')}
        description={words('automaticGrantsText')}
        checked={values.automaticGrants}
        onChange={({ currentTarget }) => onChange({ automaticGrants: currentTarget.checked })}
      />
    </>
  );
}

interface LevelFormProps {
  readonly policy: ApprovalPolicy;
  /** The place of the level among the others; one behind the last for a new one. */
  readonly at: number;
  readonly onClose: () => void;
}

/** Begins with the policy as it was opened: a later version does not take away what was typed. */
function useEditing({ policy, at, onClose }: LevelFormProps) {
  const [base, setBase] = useState<LevelBase>({ policy, at });
  const [values, setValues] = useState(() => valuesOf(policy.levels[at]));
  const act = useAct(['capture'], ({ over, level }: { over: LevelBase; level: LevelValues }) =>
    updateApprovalPolicy(over.policy, policyWith(over.policy, over.at, levelOf(level))),
  );
  const saveOver = (over: LevelBase, level: LevelValues) => act.mutate({ over, level }, { onSuccess: onClose });
  const settle = (choice: Choice, latest: LevelBase, merged: LevelValues) => {
    act.reset();
    if (choice === 'theirs') return onClose();
    setBase(latest);
    setValues(merged);
    if (choice === 'mine') saveOver(latest, merged);
  };
  return { base, values, setValues, act, settle, save: () => saveOver(base, values) };
}

/** One level of an approval policy: to which requests it applies, and what it asks for. */
export function LevelForm(props: LevelFormProps) {
  const { onClose } = props;
  const uiWords = useTranslations('ui');
  const words = useTranslations('capture');
  const { base, values, setValues, act, settle, save } = useEditing(props);
  const { policy, at } = base;
  const isConflict = act.error !== null && codeOf(act.error) === 'version_conflict';
  const prefix = `levels[${at}].`;
  const named = Object.entries(fieldErrors(act.error)).map(([path, text]) => [path.replace(prefix, ''), text]);
  const errors = Object.fromEntries(named) as Record<string, string>;
  const onChange = (change: Partial<LevelValues>) => setValues({ ...values, ...change });
  const shared = { values, errors, orgId: policy.orgId, onChange };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack>
        <TextInput
          label={words('levelName')}
          required
          maxLength={255}
          data-autofocus
          value={values.name}
          error={errors['name']}
          onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
        <Conditions {...shared} />
        <Demand {...shared} />
        <Refusal error={isConflict ? null : act.error} />
        <FormActions
          label={uiWords(base.policy.levels[base.at] ? 'save' : 'add')}
          saving={act.isPending}
          onCancel={onClose}
        />
      </Stack>
      {isConflict && (
        <Suspense fallback={null}>
          <LevelConflict {...{ base, values, act }} onChoose={settle} />
        </Suspense>
      )}
    </form>
  );
}
