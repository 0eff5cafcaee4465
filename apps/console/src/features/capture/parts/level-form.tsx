import { MultiSelect, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { fieldErrors } from '../../../api/problem.ts';
import { FormActions } from '../../../ui/forms/dialogs.tsx';
import { NumberField } from '../../../ui/forms/number-field.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { levelOf, type LevelValues, policyWith, valuesOf } from '../model.ts';
import { type ApprovalPolicy, FLOW_TYPES, groupsQuery, sitesQuery, updateApprovalPolicy } from '../queries.ts';

type Form = UseFormReturnType<LevelValues>;
const TIERS = ['0', '1', '2', '3', '4'];

function Conditions({ form, orgId }: { readonly form: Form; readonly orgId: string }) {
  const words = useTranslations('capture');
  const choicesOf = (things: readonly { id: string; name: string }[] = []) =>
    things.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <MultiSelect
        label={words('flowTypes')}
        data={FLOW_TYPES.map((value) => ({ value, label: words(`flows.${value}`) }))}
        {...form.getInputProps('flowTypes')}
      />
      <Select label={words('riskTierMin')} data={TIERS} clearable {...form.getInputProps('riskTierMin')} />
      <MultiSelect
        label={words('sites')}
        data={choicesOf(useQuery(sitesQuery(orgId)).data)}
        {...form.getInputProps('siteIds')}
      />
      <MultiSelect
        label={words('groups')}
        data={choicesOf(useQuery(groupsQuery(orgId)).data)}
        {...form.getInputProps('deviceGroupIds')}
      />
      <Switch label={words('unsigned')} {...form.getInputProps('unsigned', { type: 'checkbox' })} />
    </>
  );
}

interface LevelFormProps {
  readonly policy: ApprovalPolicy;
  /** The place of the level among the others; one behind the last for a new one. */
  readonly at: number;
  readonly onClose: () => void;
}

/** One level of an approval policy: to which requests it applies, and what it asks for. */
export function LevelForm({ policy, at, onClose }: LevelFormProps) {
  const words = useTranslations('capture');
  const form = useForm<LevelValues>({ initialValues: valuesOf(policy.levels[at]) });
  const act = useAct(['capture'], (values: LevelValues) =>
    updateApprovalPolicy(policy.orgId, policyWith(policy, at, levelOf(values))),
  );
  const prefix = `levels[${at}].`;
  const errorsOf = (error: Error) =>
    Object.fromEntries(Object.entries(fieldErrors(error)).map(([path, text]) => [path.replace(prefix, ''), text]));
  const submit = (values: LevelValues) =>
    act.mutate(values, { onSuccess: onClose, onError: (error) => form.setErrors(errorsOf(error)) });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label={words('levelName')} required maxLength={255} data-autofocus {...form.getInputProps('name')} />
        <Conditions form={form} orgId={policy.orgId} />
        <NumberField label={words('approvals')} required min={1} max={5} {...form.getInputProps('approvals')} />
        <NumberField
          label={words('pendingMinutes')}
          required
          min={5}
          max={1440}
          {...form.getInputProps('pendingMinutes')}
        />
        <Refusal error={act.error} />
        <FormActions label={words('change')} saving={act.isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
