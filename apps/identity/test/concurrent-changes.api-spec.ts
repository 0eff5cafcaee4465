import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { TechnicianChanged, type TechnicianState } from '@gatehouse/contracts-identity';
import { aPartnerAdmin, NO_OUTBOX, overlapping as overlappingAt, patient } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { IdentityHarness } from './identity.harness.ts';
import { NO_LIMITS } from './sso.harness.ts';

const identity = await IdentityHarness.start(patient(NO_LIMITS));
const partnerId = await identity.partner();
afterAll(() => identity.stop());

describe('changes at the same time', () => {
  let counter = 0;

  it('a role that is renamed while a permission is taken from it does not get the permission back', async () => {
    const orgId = await identity.org(partnerId);
    const roleId = await role(orgId, ['devices:read', 'devices:execute']);
    const [reduced, renamed] = await overlapping(
      () => change(roleId, { permissions: ['devices:read'] }),
      () => change(roleId, { name: 'Renamed' }),
    );
    expect([reduced?.status, renamed?.status]).toEqual([200, 200]);
    expect(renamed?.body.data).toMatchObject({ name: 'Renamed', permissions: ['devices:read'] });
    expect(await identity.service.sql('SELECT name, permissions FROM roles WHERE id = $1', [roleId])).toEqual([
      { name: 'Renamed', permissions: ['devices:read'] },
    ]);
  });

  it('who is given a role while it loses a permission is known without it', async () => {
    const orgId = await identity.org(partnerId);
    const roleId = await role(orgId, ['devices:read', 'devices:execute']);
    const home = await identity.org(partnerId);
    await identity.member('given@example.test', { partnerId, orgId: home, roleId: ORG_VIEWER });
    const [invited] = await overlapping(
      () => invite('given@example.test', orgId, roleId),
      () => change(roleId, { permissions: ['devices:read'] }),
    );
    expect(reachOf(await lastStateOf(invited?.body.data.id))).toMatchObject({ [orgId]: ['devices:read'] });
  });

  it('the newest word on a person who holds two roles has the new permissions of both', async () => {
    const [here, there] = [await identity.org(partnerId), await identity.org(partnerId)];
    const [one, two] = [
      await role(here, ['devices:read', 'devices:execute']),
      await role(there, ['devices:read', 'devices:execute']),
    ];
    const { userId } = await identity.member('two-roles@example.test', { partnerId, orgId: here, roleId: one });
    await identity.member('two-roles@example.test', { partnerId, orgId: there, roleId: two });
    await overlapping(
      () => change(one, { permissions: ['devices:read'] }),
      () => change(two, { permissions: ['devices:read'] }),
    );
    expect(reachOf(await lastStateOf(userId))).toEqual({ [here]: ['devices:read'], [there]: ['devices:read'] });
  });

  it('the newest word on a person who gets a membership while their role changes has the new permissions', async () => {
    const [here, there] = [await identity.org(partnerId), await identity.org(partnerId)];
    const roleId = await role(here, ['devices:read', 'devices:execute']);
    const { userId } = await identity.member('joins@example.test', { partnerId, orgId: here, roleId });
    await overlapping(
      () => change(roleId, { permissions: ['devices:read'] }),
      () => invite('joins@example.test', there, ORG_VIEWER),
    );
    expect(reachOf(await lastStateOf(userId))).toMatchObject({ [here]: ['devices:read'], [there]: expect.any(Array) });
  });

  const admin = () => identity.service.as(aPartnerAdmin(partnerId));
  const role = async (orgId: string, permissions: string[]): Promise<string> =>
    (
      await admin()
        .post('/roles')
        .send({ name: `Role ${++counter}`, axis: 'organization', orgId, permissions })
    ).body.data.id;
  const change = (roleId: string, changes: object) => admin().patch(`/roles/${roleId}`).send(changes);
  const invite = (email: string, orgId: string, roleId: string | undefined) =>
    admin()
      .post('/users')
      .send({ email, name: 'P', membership: { scope: 'organization', orgId, roleId } });
  const lastStateOf = async (userId: string): Promise<TechnicianState | undefined> =>
    (await identity.service.emitted(TechnicianChanged))
      .map(({ data }) => data)
      .filter((state) => state.userId === userId)
      .sort((a, b) => a.version - b.version)
      .at(-1);
  const reachOf = (state: TechnicianState | undefined) =>
    Object.fromEntries((state?.reaches ?? []).map(({ orgIds, permissions }) => [orgIds.join(), permissions]));

  const overlapping = <T>(...calls: (() => PromiseLike<T>)[]): Promise<T[]> =>
    overlappingAt(identity.service, NO_OUTBOX, ...calls);
});

const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;
