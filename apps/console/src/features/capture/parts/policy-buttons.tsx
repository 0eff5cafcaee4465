import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useMe } from '../../../api/me.ts';
import { VersionedFormButton } from '../../../ui/conflicts/versioned-form-button.tsx';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { type Field, PARTNER_FIELD, type Values } from '../../../ui/forms/fields.ts';
import { useOrgName } from '../../../ui/use-org.tsx';
import { type CapturePolicy, CHANGES, createPolicy, deletePolicy, readPolicy, updatePolicy } from '../policies.ts';

const CREATE = 'POST /configuration-policies';

function useFields(): readonly Field[] {
  const words = useTranslations('captureLevels');
  return [
    { name: 'name', label: words('name'), required: true, ...inputLimits(CREATE, 'name') },
    {
      name: 'state',
      label: words('state'),
      kind: 'choice',
      required: true,
      choices: (['on', 'off'] as const).map((value) => ({ value, label: words(value) })),
    },
  ];
}

const bodyOf = (values: Values) => ({
  name: String(values['name']),
  features: { pam: { uacInterceptionEnabled: values['state'] === 'on' } },
});

/** Makes a policy and opens it, to be assigned. */
export function NewPolicyButton({ org }: { readonly org: string | undefined }) {
  const words = useTranslations('captureLevels');
  const { scope, partnerWidePolicyRights } = useMe();
  const isOperator = scope === 'system';
  const navigate = useNavigate();
  const fields = useFields();
  const orgName = useOrgName();
  const owners = [
    ...(partnerWidePolicyRights ? (['partner'] as const) : []),
    ...(org ? (['organization'] as const) : []),
  ];
  if (owners.length === 0) return null;
  const owner: Field = {
    name: 'ownerScope',
    label: words('owner'),
    description: words('ownerText'),
    kind: 'choice',
    required: true,
    choices: owners.map((value) => ({
      value,
      label: (value === 'organization' && orgName) || words(`owners.${value}`),
    })),
  };
  const partner = { ...PARTNER_FIELD, when: ({ ownerScope = 'partner' }: Values) => ownerScope === 'partner' };
  const create = (values: Values) => {
    const { ownerScope, partnerId } = values;
    if (ownerScope === 'organization' && org) return createPolicy({ ...bodyOf(values), ownerScope, orgId: org });
    return createPolicy({
      ...bodyOf(values),
      ownerScope: 'partner',
      ...(partnerId && { partnerId: String(partnerId) }),
    });
  };
  return (
    <FormButton
      label={words('newPolicy')}
      text={words('newPolicyText')}
      needs={CREATE}
      orgId={null}
      action="create"
      fields={[...fields, owner, ...(isOperator ? [partner] : [])]}
      initial={{ state: 'on', ownerScope: owners.at(-1) ?? 'partner' }}
      changes={CHANGES}
      act={(values) => create({ ownerScope: owners[0] ?? 'partner', ...values })}
      onDone={({ id }) =>
        void navigate({ to: '/rules/capture/$policyId', params: { policyId: id }, search: org ? { org } : {} })
      }
    />
  );
}

const valuesOf = ({ name, features: { pam } }: CapturePolicy): Values => ({
  name,
  state: pam ? (pam.uacInterceptionEnabled ? 'on' : 'off') : '',
});

export function EditPolicyButton({ policy }: { readonly policy: CapturePolicy }) {
  const words = useTranslations('captureLevels');
  return (
    <VersionedFormButton
      label={words('change')}
      name={policy.name}
      variant="default"
      needs="PATCH /configuration-policies/{id}"
      audited="configuration_policy.update"
      fields={useFields()}
      stored={policy}
      valuesOf={valuesOf}
      read={() => readPolicy(policy.id)}
      save={(stored, values) => updatePolicy(stored, bodyOf(values))}
      changes={CHANGES}
    />
  );
}

export function DeletePolicyButton({ policy }: { readonly policy: CapturePolicy }) {
  const words = useTranslations('captureLevels');
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label={words('deletePolicy')}
      title={words('deletePolicyTitle', { name: policy.name })}
      needs="DELETE /configuration-policies/{id}"
      name={policy.name}
      changes={[]}
      act={() => deletePolicy(policy)}
      onDone={() => void navigate({ to: '/rules/capture', search: policy.orgId ? { org: policy.orgId } : {} })}
    >
      {words('deletePolicyText')}
    </ConfirmButton>
  );
}
