import { grouped, membershipFor } from './model.ts';

describe('people', () => {
  it('are invited to the chosen organisation', () => {
    expect(membershipFor({ partnerId: 'p' }, 'o', 'r')).toEqual({ scope: 'organization', orgId: 'o', roleId: 'r' });
  });

  it('are invited to the whole partner while no organisation is chosen', () => {
    const membership = { scope: 'partner', roleId: 'r', orgAccess: 'all', partnerId: 'p' };
    expect(membershipFor({ partnerId: 'p' }, undefined, 'r')).toEqual(membership);
  });

  it('have permissions that are shown by thing', () => {
    expect(grouped(['devices:read', 'users:read', 'devices:write'])).toEqual([
      ['devices', ['read', 'write']],
      ['users', ['read']],
    ]);
  });
});
