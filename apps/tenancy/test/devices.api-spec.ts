import { ApprovalLevelsChanged } from '@gatehouse/contracts-pam';
import { AgentUninstallRequested, DeviceChanged, DeviceGroupChanged } from '@gatehouse/contracts-tenancy';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { anOrgAdmin, type Client } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, created, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let partnerId: string;
let orgId: string;
let siteId: string;
let key: string;
let admin: Client;
besideTenancy((started) => (tenancy = started));
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  orgId = (await tenancy.organization(partnerId)).id;
  siteId = (await tenancy.site(partnerId, orgId)).id;
  key = (await tenancy.enrollmentKey(partnerId, orgId, { siteId })).key;
  admin = tenancy.admin(partnerId);
});

describe('devices', () => {
  it('TEN-108 changes the display name, kept without the blanks around it, and the status, and tells the new state', async () => {
    const { deviceId } = await tenancy.device(key);
    expect(
      (await admin.patch(`/devices/${deviceId}`).send({ displayName: '\u00a0 Reception ', status: 'maintenance' }))
        .body,
    ).toMatchObject({ id: deviceId, displayName: 'Reception', status: 'maintenance' });
    expect((await admin.patch(`/devices/${deviceId}`).send({ displayName: ' ' })).body.displayName).toBeNull();
    expect((await admin.patch(`/devices/${deviceId}`).send({ hostname: 'x' })).body).toMatchObject({
      code: 'no_updates_provided',
      issues: [{ path: 'hostname' }],
    });
    expect((await admin.patch(`/devices/${deviceId}`).send({ status: 'decommissioned' })).status).toBe(400);
    expect(await lastState(deviceId)).toMatchObject({ status: 'maintenance', version: 3 });
  });

  it('TEN-86 are sorted by a closed list of fields, and name their organisation and site', async () => {
    const { id: ownPartner } = await tenancy.partner();
    const own = tenancy.admin(ownPartner);
    const org = await tenancy.organization(ownPartner, { name: 'Acme' });
    const enrolmentKey = await tenancy.enrollmentKey(ownPartner, org.id);
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) ids.push((await tenancy.device(enrolmentKey.key)).deviceId);
    for (const [at, hostname] of ['b', 'a', 'c'].entries())
      await tenancy.service.sql('UPDATE devices SET hostname = $2, status = $3 WHERE id = $1', [
        ids[at],
        hostname,
        hostname === 'c' ? 'maintenance' : 'offline',
      ]);
    const sorted = async (query: string) =>
      (await own.get(`/devices?${query}`)).body.data.map(({ hostname }: { hostname: string }) => hostname).join('');
    for (const [query, order] of [
      ['', 'abc'],
      ['sort=-hostname', 'cba'],
      ['sort=createdAt', 'bac'],
      ['sort=-createdAt', 'cab'],
      ['sort=status', 'cba'],
      ['sort=lastSeenAt', 'bac'],
      ['sort=-lastSeenAt&limit=1&page=3', 'b'],
      ['sort=-createdAt&search=a', 'a'],
    ])
      expect([query, (await sorted(query ?? '')).slice(0, order?.length)]).toEqual([query, order]);
    expect((await own.get('/devices?sort=serialNumber')).status).toBe(400);
    const place = { orgName: 'Acme', siteName: expect.any(String) };
    expect((await own.get('/devices')).body.data[0]).toMatchObject(place);
    expect((await own.get(`/devices/${ids[0]}`)).body).toMatchObject(place);
    expect((await own.patch(`/devices/${ids[0]}`).send({ displayName: 'x' })).body).toMatchObject(place);
  });

  it('decommissions for good: the agent is known, refused and removed', async () => {
    const { deviceId, agentToken } = await tenancy.device(key);
    expect((await admin.post(`/devices/${deviceId}/decommission`)).body).toMatchObject({
      status: 'decommissioned',
      decommissionedAt: expect.any(String),
    });
    expect((await tenancy.service.asAgent(agentToken).get(`/agents/${deviceId}/config`)).body).toMatchObject({
      status: 403,
      code: 'device_inactive',
    });
    expect(await lastState(deviceId)).toMatchObject({
      status: 'decommissioned',
      agentTokenHash: sha256Hex(agentToken),
    });
    expect((await tenancy.service.emitted(AgentUninstallRequested)).at(-1)?.data).toMatchObject({ deviceId });
    for (const answer of [
      await admin.post(`/devices/${deviceId}/decommission`),
      await admin.patch(`/devices/${deviceId}`).send({ status: 'online' }),
      await admin.post(`/devices/${deviceId}/agent-token/rotate`),
    ]) {
      expect(answer.body).toMatchObject({ status: 403, code: 'device_inactive' });
    }
  });

  it('TEN-103 rotates the token: only the new one works, and the use of the old one is reported', async () => {
    const { deviceId, agentToken } = await tenancy.device(key);
    const { body } = await admin.post(`/devices/${deviceId}/agent-token/rotate`);
    expect((await tenancy.service.asAgent(agentToken).get(`/agents/${deviceId}/config`)).status).toBe(401);
    expect((await tenancy.service.asAgent(body.agentToken).get(`/agents/${deviceId}/config`)).status).toBe(200);
    expect((await lastState(deviceId))?.agentTokenHash).toBe(sha256Hex(body.agentToken));
    const reuses = await tenancy.service.audits('device.token_reuse');
    expect(reuses.filter(({ resource }) => resource.id === deviceId)).toMatchObject([{ orgId, result: 'denied' }]);
  });

  it('IDY-122 gives no token again to a repeated rotation under one Idempotency-Key', async () => {
    const { deviceId } = await tenancy.device(key);
    const rotate = () => admin.post(`/devices/${deviceId}/agent-token/rotate`).set('idempotency-key', 'once');
    const [first, again] = [await rotate(), await rotate()];
    expect(again.body).toMatchObject({ status: 409, code: 'idempotency_secret_shown', id: deviceId });
    expect(JSON.stringify(again.body)).not.toContain(first.body.agentToken);
    expect((await tenancy.service.asAgent(first.body.agentToken).get(`/agents/${deviceId}/config`)).status).toBe(200);
    expect(
      (await tenancy.service.audits('device.agent_token.rotate')).filter(({ resource }) => resource.id === deviceId),
    ).toHaveLength(1);
  });

  it('moves within the organisation without consequences, to another organisation with its losses stated', async () => {
    const { deviceId } = await tenancy.device(key);
    const [near, group] = [await tenancy.site(partnerId, orgId), await groupOf(orgId)];
    await admin.post(`/device-groups/${group}/devices`).send({ deviceIds: [deviceId] });
    expect((await admin.post(`/devices/${deviceId}/move`).send({ siteId: near.id })).body).toMatchObject({
      siteId: near.id,
      groupIds: [group],
      consequences: { organizationChanged: false, groupsLeft: [] },
    });
    const other = await tenancy.organization(partnerId);
    const far = await tenancy.site(partnerId, other.id);
    expect((await admin.post(`/devices/${deviceId}/move`).send({ siteId: far.id })).body).toMatchObject({
      status: 400,
      code: 'site_not_in_org',
    });
    expect(
      (await admin.post(`/devices/${deviceId}/move`).send({ orgId: other.id, siteId: far.id })).body,
    ).toMatchObject({
      orgId: other.id,
      siteId: far.id,
      groupIds: [],
      consequences: { organizationChanged: true, groupsLeft: [group] },
    });
    expect(await lastState(deviceId)).toMatchObject({ orgId: other.id, siteId: far.id, groupIds: [] });
    expect((await tenancy.service.audits('device.move')).at(-1)).toMatchObject({
      orgId: other.id,
      details: { from: { orgId, siteId: near.id } },
    });
  });

  it('does not move out of reach, past a cap, or into a frozen organisation', async () => {
    const { deviceId } = await tenancy.device(key);
    const stranger = await tenancy.partner();
    const foreign = await tenancy.organization(stranger.id);
    const foreignSite = await tenancy.site(stranger.id, foreign.id);
    expect(
      (await admin.post(`/devices/${deviceId}/move`).send({ orgId: foreign.id, siteId: foreignSite.id })).body,
    ).toMatchObject({ status: 404, code: 'organization_not_found' });
    expect(
      (await tenancy.system.post(`/devices/${deviceId}/move`).send({ orgId: foreign.id, siteId: foreignSite.id })).body,
    ).toMatchObject({ status: 400, code: 'target_not_found' });
    const full = await tenancy.organization(partnerId, { maxDevices: 0 });
    const fullSite = await tenancy.site(partnerId, full.id);
    expect(
      (await admin.post(`/devices/${deviceId}/move`).send({ orgId: full.id, siteId: fullSite.id })).body,
    ).toMatchObject({ status: 409, code: 'device_limit_reached' });
    await admin.post(`/orgs/organizations/${full.id}/archive`);
    expect(
      (await admin.post(`/devices/${deviceId}/move`).send({ orgId: full.id, siteId: fullSite.id })).body,
    ).toMatchObject({ status: 409, code: 'organization_frozen' });
  });

  it('is 404 outside the partner, the organisation or the sites of the caller, and moves to no site beyond', async () => {
    const { deviceId } = await tenancy.device(key);
    const other = await tenancy.site(partnerId, orgId);
    const strangers = [
      tenancy.admin((await tenancy.partner()).id),
      tenancy.admin(partnerId, { orgs: [newId()] }),
      tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [other.id] })),
    ];
    for (const client of strangers) {
      const calls = [
        client.get(`/devices/${deviceId}`),
        client.patch(`/devices/${deviceId}`).send({ displayName: 'x' }),
        client.post(`/devices/${deviceId}/decommission`),
        client.post(`/devices/${deviceId}/agent-token/rotate`),
        client.post(`/devices/${deviceId}/move`).send({ siteId }),
        client.get(`/devices/${deviceId}/effective-configuration`),
      ];
      for (const answer of await Promise.all(calls))
        expect(answer.body).toMatchObject({ status: 404, code: 'device_not_found' });
    }
    const confined = tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [siteId] }));
    const beyond = await confined.post(`/devices/${deviceId}/move`).send({ siteId: other.id });
    expect(beyond.body).toMatchObject({ code: 'site_not_in_org' });
    expect(await lastState(deviceId)).toMatchObject({ version: 1 });
  });

  it('blocks the deletion of their site until they are gone', async () => {
    const { deviceId } = await tenancy.device(key);
    expect((await admin.delete(`/orgs/sites/${siteId}`)).body).toMatchObject({ status: 409, code: 'conflict' });
    await admin.post(`/devices/${deviceId}/decommission`);
    expect((await admin.delete(`/orgs/sites/${siteId}`)).status).toBe(200);
    expect(await lastState(deviceId)).toMatchObject({ deleted: true });
  });
});

describe('device groups', () => {
  it('PAM-306 ATK-149 refuses members to callers of a site while a level of the approval policy names the group', async () => {
    const { deviceId } = await tenancy.device(key);
    const id = await groupOf(orgId);
    const confined = tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [siteId] }));
    const add = (who: Client) => who.post(`/device-groups/${id}/devices`).send({ deviceIds: [deviceId] });
    const named = (groupIds: string[], version: number) =>
      tenancy.service.deliver(ApprovalLevelsChanged, { orgId, partnerId, groupIds, version });
    expect((await add(confined)).status).toBe(200);
    await named([id], 2);
    await named([], 1);
    for (const refused of [
      await add(confined),
      await confined.delete(`/device-groups/${id}/devices`).send({ deviceIds: [deviceId] }),
      await confined.delete(`/device-groups/${id}/devices/${deviceId}`),
      await confined.delete(`/device-groups/${id}`),
    ])
      expect(refused.body).toMatchObject({ status: 403, code: 'site_access_denied' });
    expect((await lastState(deviceId))?.groupIds).toEqual([id]);
    expect((await admin.delete(`/device-groups/${id}/devices/${deviceId}`)).status).toBe(200);
    expect((await admin.get(`/device-groups/${id}`)).body.data).not.toHaveProperty('ofLevel');
    await named([], 4);
    expect((await add(confined)).status).toBe(200);
    const another = await groupOf(orgId, 'Another');
    const { updatedAt } = (await admin.get(`/device-groups/${another}`)).body.data;
    await named([], 6);
    expect((await admin.get(`/device-groups/${another}`)).body.data.updatedAt).toBe(updatedAt);
    await named([another], 5);
    const late = confined.post(`/device-groups/${another}/devices`).send({ deviceIds: [deviceId] });
    expect((await late).status).toBe(200);
  });

  it('hold devices of one organisation, told with the device state', async () => {
    const { deviceId } = await tenancy.device(key);
    const id = await groupOf(orgId, 'Kiosks');
    expect((await admin.post(`/device-groups/${id}/devices`).send({ deviceIds: [deviceId] })).body.data).toMatchObject({
      id,
      name: 'Kiosks',
      deviceCount: 1,
    });
    expect(await lastState(deviceId)).toMatchObject({ groupIds: [id], version: 2 });
    expect((await admin.get(`/devices?groupId=${id}`)).body).toMatchObject({
      data: [{ id: deviceId, groupIds: [id] }],
      pagination: { total: 1 },
    });
    expect((await admin.get('/device-groups')).body).toMatchObject({
      data: [{ id, deviceCount: 1 }],
      pagination: { total: 1 },
    });
    expect((await admin.delete(`/device-groups/${id}/devices/${deviceId}`)).body.data.deviceCount).toBe(0);
    expect(await lastState(deviceId)).toMatchObject({ groupIds: [], version: 3 });
    await admin.post(`/device-groups/${id}/devices`).send({ deviceIds: [deviceId] });
    expect((await admin.delete(`/device-groups/${id}`)).body).toEqual({ success: true });
    expect(await lastState(deviceId)).toMatchObject({ groupIds: [], version: 5 });
  });

  it('refuse devices of another organisation as a whole', async () => {
    const { deviceId } = await tenancy.device(key);
    const other = await tenancy.organization(partnerId);
    const [id, foreign] = [
      await groupOf(orgId),
      await tenancy.device((await tenancy.enrollmentKey(partnerId, other.id)).key),
    ];
    expect(
      (await admin.post(`/device-groups/${id}/devices`).send({ deviceIds: [deviceId, foreign.deviceId] })).body,
    ).toMatchObject({ status: 404, code: 'device_not_found', deviceIds: [foreign.deviceId] });
    expect((await admin.get(`/device-groups/${id}`)).body.data.deviceCount).toBe(0);
    await expect(
      tenancy.service.sql('INSERT INTO device_group_members VALUES ($1, $2, $3, $4)', [
        id,
        foreign.deviceId,
        other.id,
        partnerId,
      ]),
    ).rejects.toThrow('member_group_in_organization');
  });

  it('are at most a thousand of one device: its state leaves in one message', async () => {
    const [{ deviceId }, other] = [await tenancy.device(key), await tenancy.device(key)];
    const [last, beyond] = [await groupOf(orgId), await groupOf(orgId)];
    await tenancy.service.sql(
      `
      WITH made AS (INSERT INTO device_groups (id, partner_id, org_id, name)
        SELECT gen_random_uuid(), $1, $2, 'many ' || n FROM generate_series(1, 999) n RETURNING id)
      INSERT INTO device_group_members (group_id, device_id, org_id, partner_id) SELECT id, $3, $2, $1 FROM made`,
      [partnerId, orgId, deviceId],
    );
    expect(
      (await admin.post(`/device-groups/${last}/devices`).send({ deviceIds: [deviceId] })).body.data.deviceCount,
    ).toBe(1);
    const refused = await admin
      .post(`/device-groups/${beyond}/devices`)
      .send({ deviceIds: [other.deviceId, deviceId] });
    expect(refused.body).toMatchObject({
      status: 400,
      code: 'validation_failed',
      issues: [{ path: 'deviceIds', message: expect.stringContaining(deviceId) }],
    });
    expect((await admin.get(`/device-groups/${beyond}`)).body.data.deviceCount).toBe(0);
    expect(
      (await admin.post(`/device-groups/${last}/devices`).send({ deviceIds: [deviceId] })).body.data.deviceCount,
    ).toBe(1);
  });

  it('keep names unique, and are 404 for strangers', async () => {
    const id = await groupOf(orgId, 'One');
    expect((await admin.post('/device-groups').send({ orgId, name: 'One' })).body).toMatchObject({
      status: 409,
      code: 'name_taken',
    });
    const stranger = tenancy.admin((await tenancy.partner()).id);
    for (const answer of [
      await stranger.get(`/device-groups/${id}`),
      await stranger.patch(`/device-groups/${id}`).send({ name: 'x' }),
      await stranger.delete(`/device-groups/${id}`),
    ]) {
      expect(answer.body).toMatchObject({ status: 404, code: 'device_group_not_found' });
    }
  });

  it('tell their state when they are made, changed and deleted, each time newer', async () => {
    const id = await groupOf(orgId, 'Kiosks');
    await admin.patch(`/device-groups/${id}`).send({ name: 'Tills' });
    await admin.delete(`/device-groups/${id}`);
    const states = (await tenancy.service.emitted(DeviceGroupChanged))
      .map(({ data }) => data)
      .filter(({ groupId }) => groupId === id);
    expect(states).toEqual(
      [
        ['Kiosks', 1, false],
        ['Tills', 2, false],
        ['Tills', 3, true],
      ].map(([name, version, deleted]) => ({ groupId: id, orgId, partnerId, name, version, deleted })),
    );
  });

  it('count only the devices that a caller confined to sites may see', async () => {
    const id = await groupOf(orgId);
    const other = await tenancy.site(partnerId, orgId);
    const otherKey = (await tenancy.enrollmentKey(partnerId, orgId, { siteId: other.id })).key;
    await admin
      .post(`/device-groups/${id}/devices`)
      .send({ deviceIds: [(await tenancy.device(key)).deviceId, (await tenancy.device(otherKey)).deviceId] });
    const confined = tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [other.id] }));
    expect((await confined.get(`/device-groups/${id}`)).body.data.deviceCount).toBe(1);
    expect((await confined.get('/device-groups')).body.data).toMatchObject([{ id, deviceCount: 1 }]);
    expect((await confined.delete(`/device-groups/${id}`)).body).toMatchObject({
      status: 403,
      code: 'site_access_denied',
    });
  });
});

const lastState = async (deviceId: string) =>
  (await tenancy.service.emitted(DeviceChanged))
    .map(({ data }) => data)
    .filter((data) => data.deviceId === deviceId)
    .at(-1);
const groupOf = async (org: string, name = `g${newId()}`) =>
  created<{ data: { id: string } }>(await admin.post('/device-groups').send({ orgId: org, name })).data.id;
