import { DeviceChanged } from '@gatehouse/contracts-tenancy';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { anOrgAdmin, atOnce, Gate, NO_OUTBOX, overlapping, patient } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, type Tenancy } from './tenancy.harness.ts';

const TEN_YEARS_MS = new Date().setUTCFullYear(new Date().getUTCFullYear() + 10) - Date.now();

let tenancy: Tenancy;
let partnerId: string;
let orgId: string;
besideTenancy((started) => (tenancy = started), patient());
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  orgId = (await tenancy.organization(partnerId)).id;
});

describe('enrollment keys', () => {
  it('shows the key once, stores its hash, and expires after 30 days unless told', async () => {
    const key = await tenancy.enrollmentKey(partnerId, orgId);
    expect(key.key).toHaveLength(43);
    expect(key).toMatchObject({ orgId, siteId: null, usageCount: 0, maxUsage: null });
    expect(new Date(key.expiresAt ?? 0).getTime() - new Date(key.createdAt).getTime()).toBe(30 * 24 * 3600 * 1000);
    expect(await tenancy.service.sql('SELECT key FROM enrollment_keys WHERE id = $1', [key.id])).toEqual([
      { key: sha256Hex(key.key) },
    ]);
    const listed = await tenancy.admin(partnerId).get('/enrollment-keys');
    expect(listed.body.data).toMatchObject([{ id: key.id }]);
    expect(JSON.stringify(listed.body)).not.toContain(sha256Hex(key.key));
  });

  it.each([
    ['in the past', -60_000, 400],
    ['a minute ahead', 60_000, 201],
    ['just within ten years', TEN_YEARS_MS - 60_000, 201],
    ['over ten years ahead', TEN_YEARS_MS + 60_000, 400],
  ])('an expiry %s is answered with the status that its bounds give', async (_, ahead, status) => {
    const expiresAt = new Date(Date.now() + ahead).toISOString();
    const answer = await tenancy.admin(partnerId).post('/enrollment-keys').send({ orgId, name: 'Key', expiresAt });
    expect(answer.body).toMatchObject(
      status === 201 ? { expiresAt } : { status, code: 'validation_failed', issues: [{ path: 'expiresAt' }] },
    );
  });

  it('rotates: the old key enrols nothing, the new one does', async () => {
    const key = await tenancy.enrollmentKey(partnerId, orgId);
    const rotated = await tenancy.admin(partnerId).post(`/enrollment-keys/${key.id}/rotate`);
    expect((await enrol(key.key)).body).toMatchObject({ status: 401, code: 'enrollment_key_invalid' });
    expect((await enrol(rotated.body.key)).status).toBe(201);
  });

  it('takes only a site of the organisation', async () => {
    const other = await tenancy.organization(partnerId);
    const site = await tenancy.site(partnerId, other.id);
    expect(
      (await tenancy.admin(partnerId).post('/enrollment-keys').send({ orgId, siteId: site.id, name: 'x' })).body,
    ).toMatchObject({ status: 400, code: 'site_not_in_org' });
    await expect(
      tenancy.service.sql(
        `INSERT INTO enrollment_keys (id, partner_id, org_id, site_id, name, key) VALUES ($1, $2, $3, $4, 'x', 'x')`,
        [newId(), partnerId, orgId, site.id],
      ),
    ).rejects.toThrow('enrollment_key_site_in_organization');
  });

  it('keeps to the sites and organisations of the caller', async () => {
    const [mine, other] = [await tenancy.site(partnerId, orgId), await tenancy.site(partnerId, orgId)];
    const [ofMine, ofOther, ofOrg] = [
      await tenancy.enrollmentKey(partnerId, orgId, { siteId: mine.id }),
      await tenancy.enrollmentKey(partnerId, orgId, { siteId: other.id }),
      await tenancy.enrollmentKey(partnerId, orgId),
    ];
    const confined = tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [mine.id] }));
    expect((await confined.get('/enrollment-keys')).body).toMatchObject({
      data: [{ id: ofMine.id }],
      pagination: { total: 1 },
    });
    for (const { id } of [ofOther, ofOrg])
      expect((await confined.post(`/enrollment-keys/${id}/rotate`)).body).toMatchObject({
        status: 404,
        code: 'enrollment_key_not_found',
      });
    const make = (who: typeof confined) => who.post('/enrollment-keys').send({ orgId, name: 'x' });
    expect((await make(confined)).body).toMatchObject({ status: 403, code: 'site_access_denied' });
    const elsewhere = await confined.post('/enrollment-keys').send({ orgId: newId(), name: 'x' });
    expect(elsewhere.body).toMatchObject({ status: 404, code: 'organization_not_found' });
    const stranger = tenancy.admin((await tenancy.partner()).id);
    expect((await stranger.get(`/enrollment-keys/${ofOrg.id}`)).status).toBe(404);
    expect((await stranger.delete(`/enrollment-keys/${ofOrg.id}`)).status).toBe(404);
    expect((await make(stranger)).body).toMatchObject({ status: 404, code: 'organization_not_found' });
  });
});

describe('enrolling agents', () => {
  it('answers the device and its token, of which only the hash is kept and told', async () => {
    const site = await tenancy.site(partnerId, orgId);
    const { key } = await tenancy.enrollmentKey(partnerId, orgId, { siteId: site.id });
    const agent = await tenancy.device(key, { hostname: 'PC-1', osVersion: '11' });
    expect(agent).toMatchObject({
      orgId,
      siteId: site.id,
      agentToken: expect.stringMatching(/^gha_[\w-]{43}$/),
      config: { pam: { uacInterceptionEnabled: true, source: null } },
    });
    const [event] = (await tenancy.service.emitted(DeviceChanged)).slice(-1);
    expect(event?.data).toEqual({
      deviceId: agent.deviceId,
      partnerId,
      orgId,
      siteId: site.id,
      groupIds: [],
      hostname: 'PC-1',
      status: 'online',
      agentTokenHash: sha256Hex(agent.agentToken),
      previousTokenHash: null,
      previousTokenUntil: null,
      agentProtocol: 1,
      deleted: false,
      version: 1,
    });
    expect((await tenancy.service.audits('device.enroll')).at(-1)).toMatchObject({
      partnerId,
      orgId,
      siteId: site.id,
      actor: { type: 'agent', id: agent.deviceId, name: 'PC-1' },
    });
    expect((await tenancy.admin(partnerId).get(`/devices/${agent.deviceId}`)).body).toMatchObject({
      id: agent.deviceId,
      hostname: 'PC-1',
      osVersion: '11',
      status: 'online',
    });
    expect((await tenancy.service.asAgent(agent.agentToken).get(`/agents/${agent.deviceId}/config`)).body).toEqual(
      agent.config,
    );
  });

  it('makes the default site of an organisation on demand, once, and records it', async () => {
    const { key } = await tenancy.enrollmentKey(partnerId, orgId);
    const agents = await Promise.all(Array.from({ length: 5 }, () => tenancy.device(key)));
    expect(new Set(agents.map(({ siteId }) => siteId)).size).toBe(1);
    expect((await tenancy.admin(partnerId).get(`/orgs/sites?orgId=${orgId}`)).body.pagination.total).toBe(1);
    const audits = (await tenancy.service.audits('site.create')).filter((entry) => entry.orgId === orgId);
    expect(audits).toMatchObject([{ actor: { type: 'system' }, resource: { id: agents[0]?.siteId } }]);
  });

  it('names what is wrong with a key', async () => {
    const once = await tenancy.enrollmentKey(partnerId, orgId, { maxUsage: 1 });
    await tenancy.device(once.key);
    expect((await enrol(once.key)).body).toMatchObject({ status: 401, code: 'enrollment_key_exhausted' });
    const old = await tenancy.enrollmentKey(partnerId, orgId);
    await tenancy.service.sql('UPDATE enrollment_keys SET expires_at = now() WHERE id = $1', [old.id]);
    expect((await enrol(old.key)).body).toMatchObject({ status: 401, code: 'enrollment_key_expired' });
    expect((await enrol('nothing')).body).toMatchObject({ status: 401, code: 'enrollment_key_invalid' });
  });

  it('uses a key with one use left once under twenty parallel enrolments', async () => {
    const { key, id } = await tenancy.enrollmentKey(partnerId, orgId, { maxUsage: 1 });
    const answers = await atOnce(20, () => enrol(key));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await tenancy.admin(partnerId).get(`/enrollment-keys/${id}`)).body.usageCount).toBe(1);
  });

  it('lets machines enrol with one key without waiting for each other', async () => {
    const { key, id } = await tenancy.enrollmentKey(partnerId, orgId);
    const gate = await Gate.close(tenancy.service, 'LOCK TABLE device_count_deltas IN SHARE MODE');
    const answers = atOnce(2, () => enrol(key));
    await gate.waited(2);
    await gate.take(`SELECT FROM enrollment_keys WHERE id = '${id}' FOR UPDATE`);
    await gate.open();
    expect((await answers).map(({ status }) => status)).toEqual([201, 201]);
  });

  it('marks one of two machines that enrol with the same serial number at once', async () => {
    const { key } = await tenancy.enrollmentKey(partnerId, orgId);
    const answers = await overlapping(
      tenancy.service,
      'LOCK TABLE device_count_deltas IN SHARE MODE',
      () => enrol(key, 'SN-4711'),
      () => enrol(key, 'SN-4711'),
    );
    const [first, second] = answers.map(({ body }) => body);
    expect([first.possibleDuplicateOf, second.possibleDuplicateOf]).toEqual([undefined, first.deviceId]);
  });

  it.each([
    ['its site is deleted', ({ siteId }: Place) => `/orgs/sites/${siteId}`],
    ['the key is deleted', ({ keyId }: Place) => `/enrollment-keys/${keyId}`],
    ['its organisation is deleted', () => `/orgs/organizations/${orgId}`],
  ])('enrols nothing while %s', async (_, address) => {
    const siteId = (await tenancy.site(partnerId, orgId)).id;
    const { id: keyId, key } = await tenancy.enrollmentKey(partnerId, orgId, { siteId });
    const remove = () => tenancy.admin(partnerId).delete(address({ siteId, keyId }));
    const [deleted, refused] = await overlapping(tenancy.service, NO_OUTBOX, remove, () => enrol(key));
    expect([deleted?.status, refused?.body.code]).toEqual([200, 'enrollment_key_invalid']);
    expect(await tenancy.service.sql('SELECT FROM devices WHERE org_id = $1', [orgId])).toEqual([]);
  });

  it('IDY-120 enrols another device for a repeated Idempotency-Key, and stores no token to be repeated', async () => {
    const { key } = await tenancy.enrollmentKey(partnerId, orgId);
    const [one, two] = await Promise.all([0, 1].map(() => enrol(key).set('idempotency-key', 'once')));
    expect([one?.body.deviceId === two?.body.deviceId, one?.body.agentToken === two?.body.agentToken]).toEqual([
      false,
      false,
    ]);
    expect(await tenancy.service.sql('SELECT FROM idempotency_keys')).toEqual([]);
  });

  it.each([['partner'], ['organization']])('holds maxDevices of the %s under parallel enrolments', async (owner) => {
    const capped = await tenancy.partner(owner === 'partner' ? { maxDevices: 2 } : {});
    const organization = await tenancy.organization(capped.id, owner === 'organization' ? { maxDevices: 2 } : {});
    const { key, id } = await tenancy.enrollmentKey(capped.id, organization.id);
    const answers = await atOnce(10, () => enrol(key));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(answers.filter(({ body }) => body.code === 'device_limit_reached')).toHaveLength(8);
    expect((await tenancy.admin(capped.id).get(`/enrollment-keys/${id}`)).body.usageCount).toBe(2);
  });

  it('TEN-10 counts no devices of deleted organisations under the cap of their partner', async () => {
    const capped = await tenancy.partner({ maxDevices: 1 });
    const [gone, kept] = [await tenancy.organization(capped.id), await tenancy.organization(capped.id)];
    await tenancy.device((await tenancy.enrollmentKey(capped.id, gone.id)).key);
    const { key } = await tenancy.enrollmentKey(capped.id, kept.id);
    expect((await enrol(key)).body).toMatchObject({ status: 409, code: 'device_limit_reached' });
    await tenancy.admin(capped.id).delete(`/orgs/organizations/${gone.id}`);
    expect((await enrol(key)).status).toBe(201);
    expect((await enrol(key)).body).toMatchObject({ status: 409, code: 'device_limit_reached' });
  });

  it('is closed when the partner is not active or the organisation is deleted, and then tokens stop working', async () => {
    const { key } = await tenancy.enrollmentKey(partnerId, orgId);
    const agent = await tenancy.device(key);
    const config = () => tenancy.service.asAgent(agent.agentToken).get(`/agents/${agent.deviceId}/config`);
    await tenancy.system.patch(`/orgs/partners/${partnerId}`).send({ status: 'suspended' });
    expect((await enrol(key)).body).toMatchObject({ status: 403, code: 'partner_inactive' });
    expect((await config()).body).toMatchObject({ status: 403, code: 'partner_inactive' });
    await tenancy.system.patch(`/orgs/partners/${partnerId}`).send({ status: 'active' });
    expect((await config()).status).toBe(200);
    await tenancy.admin(partnerId).delete(`/orgs/organizations/${orgId}`);
    expect((await enrol(key)).body).toMatchObject({ status: 401, code: 'enrollment_key_invalid' });
    expect((await config()).body).toMatchObject({ status: 401, code: 'token_invalid' });
  });

  it("refuses a token at another device's address", async () => {
    const { key } = await tenancy.enrollmentKey(partnerId, orgId);
    const [one, two] = [await tenancy.device(key), await tenancy.device(key)];
    const config = (token: string) => tenancy.service.asAgent(token).get(`/agents/${two.deviceId}/config`);
    expect((await config(one.agentToken)).body).toMatchObject({ status: 403, code: 'device_mismatch' });
    expect((await config('gha_unknown')).body).toMatchObject({ status: 401, code: 'token_invalid' });
    const malformed = await tenancy.service.asAgent(one.agentToken).get('/agents/abc/config');
    expect(malformed.body).toMatchObject({ status: 403, code: 'device_mismatch' });
  });
});

describe('listing devices', () => {
  it('filters and searches within the reach of the caller, with exact totals', async () => {
    const [a, b] = [await tenancy.site(partnerId, orgId), await tenancy.site(partnerId, orgId)];
    const [keyA, keyB] = [
      await tenancy.enrollmentKey(partnerId, orgId, { siteId: a.id }),
      await tenancy.enrollmentKey(partnerId, orgId, { siteId: b.id }),
    ];
    for (const hostname of ['alpha', 'beta']) await tenancy.device(keyA.key, { hostname });
    await tenancy.device(keyB.key, { hostname: 'gamma', serialNumber: 'SN-ALPHA' });
    const seen = async (client: ReturnType<Tenancy['admin']>, query = ''): Promise<[string[], number]> => {
      const { body } = await client.get(`/devices?${query}`);
      return [body.data.map(({ hostname }: { hostname: string }) => hostname), body.pagination.total];
    };
    const admin = tenancy.admin(partnerId);
    expect(await seen(admin)).toEqual([['alpha', 'beta', 'gamma'], 3]);
    expect(await seen(admin, 'limit=2&page=2')).toEqual([['gamma'], 3]);
    expect(await seen(admin, `siteId=${a.id}`)).toEqual([['alpha', 'beta'], 2]);
    expect(await seen(admin, 'search=ALPHA')).toEqual([['alpha', 'gamma'], 2]);
    expect(await seen(admin, 'status=offline')).toEqual([[], 0]);
    expect(await seen(tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [b.id] })))).toEqual([['gamma'], 1]);
    expect(await seen(tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [b.id] })), `siteId=${a.id}`)).toEqual([[], 0]);
    expect(await seen(tenancy.admin((await tenancy.partner()).id), `orgId=${orgId}`)).toEqual([[], 0]);
    expect(await seen(tenancy.admin(partnerId, { orgs: [] }))).toEqual([[], 0]);
  });
});

interface Place {
  readonly siteId: string;
  readonly keyId: string;
}

const enrol = (enrollmentKey: string, serialNumber?: string) =>
  tenancy.service
    .as(null)
    .post('/agents/enroll')
    .send({ enrollmentKey, hostname: 'pc', osType: 'windows', serialNumber });
