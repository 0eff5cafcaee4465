import type { UseMutationResult } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Members } from '../../../ui/conflicts/merge.ts';
import { type Choice, VersionConflict } from '../../../ui/conflicts/version-conflict.tsx';
import { RightsInWords } from '../access/rights-in-words.tsx';
import { readRole, type Role } from '../queries.ts';
import { membersOf, type RoleDraft } from './role-form.tsx';

interface RoleConflictProps {
  /** The role that the draft began with. */
  readonly role: Role;
  readonly draft: RoleDraft;
  readonly act: Pick<UseMutationResult<unknown, Error, never>, 'error' | 'reset'>;
  readonly onChoose: (choice: Choice, stored: Role, merged: RoleDraft) => void;
}

/** Compares the draft with the role as another person has saved it since it was opened. */
export function RoleConflict({ role, draft, act, onChoose }: RoleConflictProps) {
  const words = useTranslations('people');
  return (
    <VersionConflict
      about={role.name}
      audited="role.update"
      error={act.error}
      read={() => readRole(role.id)}
      membersOf={(stored) => membersOf(stored) as Members}
      base={membersOf(role) as Members}
      own={membersOf(draft) as Members}
      nameOf={(member) => words(member === 'name' ? 'name' : 'permissions')}
      show={(_, value) => (Array.isArray(value) ? <RightsInWords permissions={value as string[]} /> : String(value))}
      onChoose={(choice, stored, merged) => {
        act.reset();
        onChoose(choice, stored, { ...draft, ...(merged as Omit<RoleDraft, 'axis'>) });
      }}
      onClose={act.reset}
    />
  );
}
