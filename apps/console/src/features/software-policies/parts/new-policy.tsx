import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useMe } from '../../../api/me.ts';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import type { Field, Values } from '../../../ui/forms/fields.ts';
import { CHANGES, createPolicy, groupsQuery, LEVELS, MODES, sitesQuery } from '../queries.ts';

type Level = (typeof LEVELS)[number];

const isLevel =
  (level: Level) =>
  (values: Values): boolean =>
    values['target.level'] === level;

/** What a policy can be for: the place itself, or one that is chosen. */
function useTargetFields(orgId: string): readonly Field[] {
  const words = useTranslations('softwarePolicies');
  const { partnerWidePolicyRights, partnerId } = useMe();
  const sites = useQuery(sitesQuery(orgId)).data ?? [];
  const groups = useQuery(groupsQuery(orgId)).data ?? [];
  const isWide = partnerWidePolicyRights && partnerId !== null;
  const levels = LEVELS.filter((level) => level !== 'partner' || isWide);
  const named = (things: readonly { readonly id: string; readonly name: string }[]) =>
    things.map(({ id, name }) => ({ value: id, label: name }));
  return [
    {
      name: 'target.level',
      label: words('target'),
      kind: 'choice',
      required: true,
      choices: levels.map((value) => ({ value, label: words(`levels.${value}`) })),
    },
    {
      name: 'site',
      label: words('levels.site'),
      kind: 'choice',
      choices: named(sites),
      required: true,
      when: isLevel('site'),
    },
    {
      name: 'group',
      label: words('levels.group'),
      kind: 'choice',
      choices: named(groups),
      required: true,
      when: isLevel('group'),
    },
    {
      name: 'device',
      label: words('deviceId'),
      description: words('deviceIdText'),
      required: true,
      when: isLevel('device'),
    },
  ];
}

/** Makes a policy without entries and opens it. */
export function NewPolicyButton({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('softwarePolicies');
  const { partnerId } = useMe();
  const navigate = useNavigate();
  const fields: readonly Field[] = [
    { name: 'name', label: words('name'), ...inputLimits('POST /pam/software-policies', 'name') },
    {
      name: 'mode',
      label: words('mode'),
      kind: 'choice',
      required: true,
      choices: MODES.map((value) => ({ value, label: words(`modes.${value}`) })),
    },
    ...useTargetFields(orgId),
  ];
  const create = (values: Values) => {
    const level = LEVELS.find((one) => one === values['target.level']) ?? 'organization';
    const fixed = level === 'partner' ? partnerId : level === 'organization' ? orgId : undefined;
    const id = fixed ?? String(values[level] ?? '').trim();
    const mode = MODES.find((one) => one === values['mode']) ?? 'audit';
    return createPolicy({ name: String(values['name']), mode, target: { level, id }, rules: [] });
  };
  return (
    <FormButton
      label={words('new')}
      needs="POST /pam/software-policies"
      fields={fields}
      initial={{ mode: 'audit', 'target.level': 'organization' }}
      changes={CHANGES}
      act={create}
      onDone={({ softwarePolicy: { id } }) =>
        void navigate({
          to: '/rules/software-policies/$policyId',
          params: { policyId: id },
          search: { org: orgId },
        })
      }
    />
  );
}
