import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useMe } from '../../../api/me.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { Choice } from '../../../ui/forms/inputs.tsx';
import { FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { organizationQuery } from '../../../ui/place/queries.ts';
import { PlaceTree } from '../../../ui/place/tree/place-tree.tsx';
import { LEVELS, type TreePlace } from '../../../ui/place/tree/queries.ts';
import { CHANGES, createPolicy, MODES } from '../queries.ts';

interface NewValues {
  readonly name: string;
  readonly mode: (typeof MODES)[number];
}

interface NewPolicyFormProps {
  readonly orgId: string;
  readonly onClose: () => void;
}

/** The name, the kind, and the place that a policy is for. */
export function NewPolicyForm({ orgId, onClose }: NewPolicyFormProps) {
  const words = useTranslations('softwarePolicies');
  const uiWords = useTranslations('ui');
  const { scope, partnerWidePolicyRights } = useMe();
  const organization = useQuery(organizationQuery(orgId, scope)).data;
  const navigate = useNavigate();
  const form = useForm<NewValues>({ initialValues: { name: '', mode: 'audit' } });
  const [target, setTarget] = useState<TreePlace | null>(null);
  const act = useAct(CHANGES, ({ level, id }: TreePlace) =>
    createPolicy({ ...form.values, target: { level, id }, rules: [] }),
  );
  if (!organization) return null;
  const levels = LEVELS.filter((level) => level !== 'partner' || partnerWidePolicyRights);
  const save = () => {
    if (!target) return;
    act.mutate(target, {
      onSuccess: ({ softwarePolicy: { id } }) =>
        void navigate({ to: '/rules/software-policies/$policyId', params: { policyId: id }, search: { org: orgId } }),
      onError: (error) => form.setErrors(fieldErrors(error)),
    });
  };
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack>
        <TextInput
          label={words('name')}
          data-autofocus
          {...inputLimits('POST /pam/software-policies', 'name')}
          {...form.getInputProps('name')}
        />
        <Choice
          label={words('mode')}
          required
          data={MODES.map((value) => ({ value, label: words(`modes.${value}`) }))}
          value={form.values.mode}
          onChange={(mode) => mode && form.setFieldValue('mode', mode)}
        />
        <PlaceTree
          label={words('target')}
          levels={levels}
          organization={{ level: 'organization', id: orgId, name: organization.name, orgId }}
          value={target}
          onChange={setTarget}
        />
        <Refusal error={act.error} />
        <FormActions label={uiWords('create')} saving={act.isPending} disabled={target === null} onCancel={onClose} />
      </Stack>
    </form>
  );
}
