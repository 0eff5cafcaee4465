import { changesOf, differs, draftOf, membersOf } from './role-form.tsx';

describe('a draft of a role', () => {
  it('sends only what was changed, and knows no order of permissions', () => {
    const draft = { ...draftOf(role), permissions: ['users:read' as const, 'devices:read' as const] };
    expect(changesOf(role, draft)).toEqual({});
    expect(changesOf(role, { ...draft, name: 'Others' })).toEqual({ name: 'Others' });
    expect(changesOf(role, { ...draft, permissions: ['users:read'] })).toEqual({ permissions: ['users:read'] });
  });

  it('is compared by name and permissions', () => {
    expect(membersOf(role)).toEqual(membersOf({ ...role, permissions: [...role.permissions].toReversed() }));
  });

  it('differs where some have a right and others do not', () => {
    expect(differs([true, true])).toBe(false);
    expect(differs([true, false])).toBe(true);
  });
});

const role = { name: 'Helpers', axis: 'partner' as const, permissions: ['devices:read', 'users:read'] as const };
