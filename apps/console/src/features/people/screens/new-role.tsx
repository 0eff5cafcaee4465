import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useIsPartnerWide, useMe } from '../../../api/me.ts';
import { fieldErrors } from '../../../api/problem.ts';
import { Choice } from '../../../ui/forms/inputs.tsx';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { PartnerSelect } from '../../../ui/place/partner-select.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { holds } from '../access/rights.ts';
import { CHANGES, createRole, type Role, useRoles } from '../queries.ts';
import { changesOf, type RoleDraft, RoleForm } from '../roles/role-form.tsx';
import '../words.ts';

const route = getRouteApi('/people/roles/new');
const AXES: readonly Role['axis'][] = ['partner', 'organization'];

/** A copy begins with what its maker can give. */
function useStart(from: Role | undefined): RoleDraft {
  const words = useTranslations('people');
  const { scope, permissions } = useMe();
  const axis = from?.axis ?? (scope === 'partner' ? 'partner' : 'organization');
  const given = (from?.permissions ?? []).filter((permission) => holds(permissions, permission));
  return { name: from ? words('copyOf', { name: from.name }) : '', axis, permissions: given };
}

/** A role of the chosen organisation alone, or of a whole partner, which operators choose. */
function useOwner(axis: Role['axis']) {
  const { orgId } = useMe();
  const isPartnerWide = useIsPartnerWide();
  const org = useOrg();
  const [isOwn, setOwn] = useState(!isPartnerWide);
  const [partnerId, setPartner] = useState<string | null>(null);
  const mayChoose = axis === 'organization' && org !== undefined && isPartnerWide;
  const isOfOne = axis === 'organization' && (isOwn || orgId !== null) && org !== undefined;
  const body = isOfOne ? { orgId: org } : partnerId ? { partnerId } : {};
  return { body, isOfOne, isOwn, setOwn, partnerId, setPartner, mayChoose };
}

type OwnerProps = ReturnType<typeof useOwner> & { readonly error: string | undefined };

function Owner({ isOfOne, isOwn, setOwn, partnerId, setPartner, mayChoose, error }: OwnerProps) {
  const words = useTranslations('people');
  const { scope } = useMe();
  if (scope === 'system' && !isOfOne)
    return <PartnerSelect maw={480} required value={partnerId} error={error} onChange={setPartner} />;
  if (!mayChoose) return null;
  return (
    <Choice
      label={words('availableIn')}
      maw={480}
      data={(['every', 'one'] as const).map((value) => ({ value, label: words(`owners.${value}`) }))}
      value={isOwn ? 'one' : 'every'}
      onChange={(value) => setOwn(value === 'one')}
    />
  );
}

function Form({ from }: { readonly from: Role | undefined }) {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  const navigate = useNavigate();
  const { scope } = useMe();
  const isPartnerWide = useIsPartnerWide();
  const start = useStart(from);
  const [draft, setDraft] = useState(start);
  const owner = useOwner(draft.axis);
  const act = useAct(CHANGES, createRole);
  const saved = useUnsaved(Object.keys(changesOf(start, draft)).length > 0);
  const back = () => void navigate({ to: '/people/roles' });
  const onSuccess = () => {
    saved();
    notifyDone(words('roleSaved', { name: draft.name }));
    back();
  };
  const save = () => act.mutate({ ...draft, permissions: [...draft.permissions], ...owner.body }, { onSuccess });
  return (
    <RoleForm
      {...{ draft }}
      action={uiWords('create')}
      saving={act.isPending}
      error={act.error}
      onChange={setDraft}
      onSave={save}
      onCancel={back}
    >
      {scope !== 'organization' && (
        <Choice
          label={words('axis')}
          maw={480}
          data={AXES.map((value) => ({
            value,
            label: words(`axes.${value}`),
            disabled: value === 'partner' && scope === 'partner' && !isPartnerWide,
          }))}
          value={draft.axis}
          onChange={(axis) => axis && setDraft({ ...draft, axis })}
        />
      )}
      <Owner {...owner} error={fieldErrors(act.error)['partnerId']} />
    </RoleForm>
  );
}

/** A role that does not exist yet, from nothing or from another one. */
export function NewRole() {
  const words = useTranslations('people');
  const { from } = route.useSearch();
  return (
    <Page title={words('newRole')}>
      <QueryView query={useRoles()}>
        {(roles) => <Form key={from} from={roles.find(({ id }) => id === from)} />}
      </QueryView>
    </Page>
  );
}
