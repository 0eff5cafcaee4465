import type { Permission, Role } from '../queries.ts';

/** A role while it is being edited. */
export interface RoleDraft {
  readonly name: string;
  readonly axis: Role['axis'];
  readonly permissions: readonly Permission[];
}

export const draftOf = ({ name, axis, permissions }: RoleDraft): RoleDraft => ({ name, axis, permissions });

const sorted = (permissions: readonly Permission[]): string => [...new Set(permissions)].toSorted().join(' ');

/** What a draft changes in a role. */
export function changesOf(role: RoleDraft, draft: RoleDraft): { name?: string; permissions?: Permission[] } {
  return {
    ...(draft.name !== role.name && { name: draft.name }),
    ...(sorted(draft.permissions) !== sorted(role.permissions) && { permissions: [...draft.permissions] }),
  };
}

/** The members that two people may both have changed; the order of permissions says nothing. */
export const membersOf = ({ name, permissions }: RoleDraft) => ({ name, permissions: sorted(permissions).split(' ') });

/** Whether the roles differ in a right. */
export const differs = (held: readonly boolean[]): boolean => new Set(held).size > 1;
