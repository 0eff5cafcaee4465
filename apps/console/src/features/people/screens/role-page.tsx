import { Alert, Badge, Button, Stack } from '@mantine/core';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { codeOf } from '../../../api/problem.ts';
import type { Choice } from '../../../ui/conflicts/version-conflict.tsx';
import { useUnsaved } from '../../../ui/forms/unsaved.ts';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { NotFoundView, QueryView } from '../../../ui/state-views.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { lacking } from '../access/rights.ts';
import { CHANGES, type Role, useRoles, updateRole } from '../queries.ts';
import { changesOf, draftOf, type RoleDraft, RoleForm } from '../roles/role-form.tsx';
import { PermissionMatrix } from '../roles/permission-matrix.tsx';
import '../words.ts';

/** Loaded with the first conflict. */
const RoleConflict = lazyPart(async () => ({ default: (await import('../roles/role-conflict.tsx')).RoleConflict }));
const route = getRouteApi('/people/roles/$roleId');

/** Begins with the role as it was read first: a later version does not take away what was typed. */
function useEditing(stored: Role) {
  const words = useTranslations('people');
  const navigate = useNavigate();
  const [role, setRole] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const act = useAct(CHANGES, updateRole);
  const back = () => void navigate({ to: '/people/roles' });
  const saved = useUnsaved(Object.keys(changesOf(role, draft)).length > 0);
  const saveOver = (base: Role, next: RoleDraft) => {
    const changes = changesOf(base, next);
    if (Object.keys(changes).length === 0) return back();
    const onSuccess = () => {
      saved();
      notifyDone(words('roleSaved', { name: next.name }));
      back();
    };
    return act.mutate({ role: base, changes }, { onSuccess });
  };
  const settle = (choice: Choice, latest: Role, merged: RoleDraft) => {
    setRole(latest);
    setDraft(choice === 'theirs' ? draftOf(latest) : merged);
    if (choice === 'mine') saveOver(latest, merged);
  };
  return { role, draft, setDraft, act, back, saveOver, settle };
}

function Editor({ role: stored }: { readonly role: Role }) {
  const uiWords = useTranslations('ui');
  const { role, draft, setDraft, act, back, saveOver, settle } = useEditing(stored);
  const isConflict = act.error !== null && codeOf(act.error) === 'version_conflict';
  return (
    <>
      <RoleForm
        draft={draft}
        action={uiWords('save')}
        saving={act.isPending}
        error={isConflict ? null : act.error}
        onChange={setDraft}
        onSave={() => saveOver(role, draft)}
        onCancel={back}
      />
      {isConflict && (
        <Suspense fallback={null}>
          <RoleConflict {...{ role, draft, act }} onChoose={settle} />
        </Suspense>
      )}
    </>
  );
}

/** Why a role cannot be changed, or null. */
function useDisabledReason({ system, permissions, orgId }: Role): 'system' | 'more' | 'owner' | 'reader' | null {
  const me = useMe();
  const can = useCan();
  if (!can('PATCH /roles/{id}')) return 'reader';
  if (system) return 'system';
  if (lacking(me.permissions, permissions).length > 0) return 'more';
  return orgId === null && !me.partnerWidePolicyRights ? 'owner' : null;
}

function Content({ role }: { readonly role: Role }) {
  const words = useTranslations('people');
  const can = useCan();
  const disabledReason = useDisabledReason(role);
  const copy = can('POST /roles') && (
    <Button component={Link} to="/people/roles/new" search={{ from: role.id } as never} variant="default">
      {words('copyRole')}
    </Button>
  );
  const axis = (
    <Badge size="md" color="gray">
      {words('roleFor', { axis: role.axis })}
    </Badge>
  );
  return (
    <Page title={role.name} aside={axis} actions={copy} orgId={role.orgId}>
      {disabledReason === null ? (
        <Editor key={role.id} role={role} />
      ) : (
        <>
          <Alert variant="light" color="gray">
            {words(`roleHindrance.${disabledReason}`)}
          </Alert>
          <Stack className="gh-card">
            <PermissionMatrix value={role.permissions} readOnly />
          </Stack>
        </>
      )}
    </Page>
  );
}

/** One role: its rights in words, and the form that changes them. */
export function RolePage() {
  const { roleId } = route.useParams();
  return (
    <QueryView query={useRoles()}>
      {(roles) => {
        const role = roles.find(({ id }) => id === roleId);
        return role ? <Content role={role} /> : <NotFoundView />;
      }}
    </QueryView>
  );
}
