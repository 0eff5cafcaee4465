import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { type IntrospectionResponse, PrincipalsChanged } from '@gatehouse/contracts-identity';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { aPartnerAdmin, anApiKey, anOrgAdmin, anOrgTechnician, aSystemAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { IdentityHarness } from './identity.harness.ts';

const roleId = (name: string): string => SYSTEM_ROLES.find((role) => role.name === name)?.id ?? '';
const PASSWORD = 'an uncommon pass phrase';

const identity = await IdentityHarness.start();
const partnerId = await identity.partner();
const boss = await identity.administratorOf(partnerId);
const { body } = await identity.service
  .as(aPartnerAdmin(partnerId, { userId: boss }))
  .post('/users')
  .send({
    email: 'maker@example.test',
    name: 'Maker',
    membership: { scope: 'partner', roleId: roleId('Partner Technician') },
  });
const userId = body.data.id;
const accepted = await identity.anonymous
  .post('/auth/accept-invite')
  .send({ token: await identity.mailedToken('maker@example.test'), password: PASSWORD });
const client = identity.service.as({ ...(await identity.principalOf(accepted.body.accessToken)), mfa: true });
afterAll(() => identity.stop());

describe('API keys', () => {
  it('are shown once, stored as a hash, and carry a part of their creator’s permissions without a second factor', async () => {
    const { status, body } = await make();
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      key: expect.stringMatching(/^ghk_[\w-]{43}$/),
      name: 'Reports',
      permissions: ['devices:read'],
      createdBy: userId,
      expiresAt: null,
      lastUsedAt: null,
    });
    expect(body.data.key.startsWith(body.data.hint)).toBe(true);
    const answer = await standing(body.data.key);
    expect(answer).toMatchObject({
      active: true,
      principal: {
        kind: 'api_key',
        id: body.data.id,
        userId,
        name: 'Maker',
        label: 'Reports',
        level: 'partner',
        partnerId,
        orgs: 'all',
        permissions: ['devices:read'],
        mfa: false,
        sessionId: null,
        email: 'maker@example.test',
      },
    });
    if (answer.active)
      expect((await identity.service.as(answer.principal).get('/auth/me')).body).toMatchObject({
        user: { id: userId, email: 'maker@example.test', name: 'Maker' },
        permissions: ['devices:read'],
        mfa: { satisfied: false },
      });
    const listed = (await client.get('/api-keys')).body.data;
    expect(listed).toMatchObject([{ id: body.data.id, lastUsedAt: expect.any(String) }]);
    expect(JSON.stringify(listed)).not.toContain(body.data.key);
    expect(JSON.stringify(await identity.service.sql('SELECT * FROM api_keys'))).not.toContain(body.data.key);
  });

  it('ATK-100 IDY-125 act as their owner: a name like another person’s decides nothing, and is recorded as a label', async () => {
    const { body } = await make({ name: 'carol@example.test' });
    const answer = await standing(body.data.key);
    if (!answer.active) throw new Error('the key does not work');
    expect(answer.principal).toMatchObject({
      name: 'Maker',
      email: 'maker@example.test',
      label: 'carol@example.test',
    });
    const key = { ...answer.principal, permissions: ['*'] as const, mfa: true };
    await identity.service
      .as(key)
      .post('/roles')
      .send({ name: 'By a key', axis: 'partner', permissions: ['devices:read'] });
    const actors = (await identity.service.audits('role.create')).map(({ actor }) => actor);
    expect(actors).toContainEqual({
      type: 'api_key',
      id: body.data.id,
      name: 'Maker',
      label: 'carol@example.test',
    });
  });

  it('cannot be given more than their creator holds, an end in the past, or another key', async () => {
    expect((await make({ permissions: ['users:write'] })).body.code).toBe('permission_denied');
    expect((await make({ expiresAt: '2020-01-01T00:00:00.000Z' })).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    expect((await make({ permissions: ['everything'] })).status).toBe(400);
    expect((await make({}, identity.service.as(anApiKey({ level: 'partner', partnerId })))).body.code).toBe(
      'mfa_required',
    );
  });

  it('of a partner are neither seen nor deleted by the session of one organisation, though of the same person (ATK-05e)', async () => {
    const { id } = (await make()).body.data;
    const orgId = await identity.org(partnerId);
    const confined = identity.service.as(anOrgTechnician(partnerId, orgId, { userId, mfa: true }));
    expect((await confined.get('/api-keys')).body.data).toEqual([]);
    expect((await confined.delete(`/api-keys/${id}`)).body.code).toBe('api_key_not_found');
    expect((await client.delete(`/api-keys/${id}`)).body).toEqual({ success: true });
  });

  it('of a user whose access is wider than the caller’s are not the caller’s to delete', async () => {
    const orgId = await identity.org(partnerId);
    const owner = { partnerId, orgId, roleId: roleId('Organization Admin') };
    const member = await identity.member('whole-organisation@example.test', owner);
    const id = await makeOf(member, orgId);
    const confined = identity.service.as(anOrgAdmin(partnerId, orgId, { sites: [newId()] }));
    expect((await confined.delete(`/api-keys/${id}`)).body.code).toBe('site_access_denied');
    const whole = identity.service.as(anOrgAdmin(partnerId, orgId));
    expect((await whole.delete(`/api-keys/${id}`)).body).toEqual({ success: true });
  });

  it('of others are deleted on the record of the tenant that they belong to (AUD-25)', async () => {
    const orgId = await identity.org(partnerId);
    const owner = { partnerId, orgId, roleId: roleId('Organization Admin') };
    const member = await identity.member('on-record@example.test', owner);
    for (const by of [admin(), identity.service.as(aSystemAdmin())]) {
      const id = await makeOf(member, orgId);
      expect((await by.delete(`/api-keys/${id}`)).body).toEqual({ success: true });
      expect((await identity.service.audits('api_key.delete')).at(-1)).toMatchObject({
        partnerId,
        orgId,
        resource: { id },
      });
    }
  });

  it('end by their date', async () => {
    const { key, id } = (await make({ permissions: ['devices:read'], expiresAt: '2099-01-01T00:00:00Z' })).body.data;
    expect(await standing(key)).toMatchObject({ active: true });
    await identity.service.sql('UPDATE api_keys SET expires_at = now() WHERE id = $1', [id]);
    expect(await standing(key)).toEqual({ active: false, code: 'token_expired' });
  });

  it('are deleted only by their creator or an administrator of the tenant', async () => {
    const keys = [(await make()).body.data, (await make()).body.data];
    const stranger = identity.service.as(aPartnerAdmin(await identity.partner()));
    expect((await stranger.delete(`/api-keys/${keys[0].id}`)).body).toMatchObject({
      status: 404,
      code: 'api_key_not_found',
    });
    expect((await stranger.get('/api-keys')).body.data).toEqual([]);
    expect((await client.delete(`/api-keys/${keys[0].id}`)).body).toEqual({ success: true });
    expect((await admin().delete(`/api-keys/${keys[1].id.toUpperCase()}`)).body).toEqual({ success: true });
    expect(await standing(keys[0].key)).toEqual({ active: false, code: 'token_invalid' });
    expect((await identity.service.emitted(PrincipalsChanged)).at(-1)?.data.apiKeyIds).toEqual([keys[1].id]);
  });

  it('never do more than their creator may at the time, and end with a suspension', async () => {
    const { key } = (await make({ permissions: ['devices:read', 'devices:execute'] })).body.data;
    await admin()
      .patch(`/users/${userId}`)
      .send({ membership: { scope: 'partner', roleId: roleId('Partner Viewer') } });
    expect(await standing(key)).toMatchObject({ principal: { permissions: ['devices:read'] } });
    await admin().patch(`/users/${userId}`).send({ status: 'suspended' });
    expect(await standing(key)).toEqual({ active: false, code: 'token_invalid' });
    await admin().patch(`/users/${userId}`).send({ status: 'active' });
    expect(await standing(key)).toEqual({ active: false, code: 'token_invalid' });
  });

  const admin = () => identity.service.as(aPartnerAdmin(partnerId));
  const make = (more: object = {}, as = client) =>
    as.post('/api-keys').send({ name: 'Reports', permissions: ['devices:read'], ...more });
  /** @returns the id of a key that belongs to a member of an organisation */
  const makeOf = async (member: { userId: string; membershipId: string }, orgId: string): Promise<string> => {
    const { id } = (await make()).body.data;
    const moved = 'UPDATE api_keys SET user_id = $2, membership_id = $3, org_id = $4 WHERE id = $1';
    await identity.service.sql(moved, [id, member.userId, member.membershipId, orgId]);
    return id;
  };
  const standing = async (key: string): Promise<IntrospectionResponse> =>
    (
      await identity.service
        .asService('gateway')
        .post('/internal/introspect')
        .send({ apiKeyHash: sha256Hex(key) })
    ).body as IntrospectionResponse;
});
