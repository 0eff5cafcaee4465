import { DeviceChanged, DeviceReenrolled, type EnrolledAgentResponse } from '@gatehouse/contracts-tenancy';
import { sha256Hex } from '@gatehouse/crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let partnerId: string;
let orgId: string;
let key: string;
besideTenancy((started) => (tenancy = started));
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  orgId = (await tenancy.organization(partnerId)).id;
  key = (await tenancy.enrollmentKey(partnerId, orgId)).key;
});

const MACHINE = { hostname: 'PC-1', osType: 'windows', serialNumber: 'SN-1' };
const enrol = (fields: object = {}, token?: string) =>
  (token === undefined ? tenancy.service.as(null) : tenancy.service.asAgent(token))
    .post('/agents/enroll')
    .send({ enrollmentKey: key, ...MACHINE, ...fields });
const first = (fields: object = {}): Promise<EnrolledAgentResponse> => tenancy.device(key, { ...MACHINE, ...fields });

describe('a machine that enrols again', () => {
  it('TEN-60 gets its device back with its old token, which then stops working', async () => {
    const before = await first();
    const again = await enrol({ osVersion: '11', hostname: 'pc-1', serialNumber: 'sn-1' }, before.agentToken);
    expect([again.status, again.body.deviceId, again.body.orgId, again.body.siteId]).toEqual([
      200,
      before.deviceId,
      orgId,
      before.siteId,
    ]);
    expect(again.body.possibleDuplicateOf).toBeUndefined();
    expect([await reads(before, before.agentToken), await reads(before, again.body.agentToken)]).toEqual([401, 200]);
    expect(await state(before.deviceId)).toMatchObject({
      agentTokenHash: sha256Hex(again.body.agentToken),
      previousTokenHash: null,
    });
    expect((await tenancy.admin(partnerId).get('/devices')).body).toMatchObject({
      data: [{ id: before.deviceId, osVersion: '11' }],
      pagination: { total: 1 },
    });
  });

  const returning = async (fields: object = {}) => {
    key = (await tenancy.enrollmentKey(partnerId, orgId, { allowReenrollment: true })).key;
    return enrol(fields);
  };
  const decide = (id: string, answer: 'confirm' | 'refuse') =>
    tenancy.admin(partnerId).post(`/devices/${id}/return/${answer}`).send({});

  it('ATK-220 TEN-101 waits as a new device without its token, and becomes the former one when it is confirmed', async () => {
    const before = await first();
    const { id: groupId } = (
      await tenancy
        .admin(partnerId)
        .post('/device-groups')
        .send({ orgId, name: `Group ${before.deviceId}` })
    ).body;
    await tenancy
      .admin(partnerId)
      .post(`/device-groups/${groupId}/devices`)
      .send({ deviceIds: [before.deviceId] });
    const again = await returning();
    expect([again.status, again.body]).toMatchObject([
      201,
      { status: 'awaiting_confirmation', returnsAs: before.deviceId },
    ]);
    const { deviceId } = again.body;
    const seen = async (id: string) => (await tenancy.admin(partnerId).get(`/devices/${id}`)).body;
    expect(await seen(deviceId)).toMatchObject({
      status: 'awaiting_confirmation',
      returnsAs: before.deviceId,
      groupIds: [],
    });
    expect([await reads(again.body, again.body.agentToken), await reads(before, before.agentToken)]).toEqual([
      200, 200,
    ]);
    const rotated = await tenancy.service.asAgent(again.body.agentToken).post(`/agents/${deviceId}/token/rotate`);
    expect(rotated.body).toMatchObject({ status: 403, code: 'device_awaiting_confirmation' });
    const patched = await tenancy.admin(partnerId).patch(`/devices/${deviceId}`).send({ status: 'online' });
    expect(patched.body).toMatchObject({ status: 409, code: 'conflict' });
    const confirmed = await decide(deviceId, 'confirm');
    expect([confirmed.status, confirmed.body]).toMatchObject([200, { id: before.deviceId, groupIds: [groupId] }]);
    expect([await reads(before, again.body.agentToken), await reads(before, before.agentToken)]).toEqual([200, 401]);
    expect(await seen(deviceId)).toMatchObject({ status: 'decommissioned', returnsAs: before.deviceId });
    expect((await decide(deviceId, 'confirm')).body).toMatchObject({ status: 409, code: 'conflict' });
    const confirmations = (await tenancy.service.audits('device.return.confirm')).filter(
      ({ resource }) => resource.id === before.deviceId,
    );
    expect(confirmations).toMatchObject([{ orgId, result: 'success', details: { confirmedDeviceId: deviceId } }]);
  });

  it('TEN-101 is told again that it waits, and for which device, when it enrols with its own token meanwhile', async () => {
    const before = await first();
    const { body } = await returning();
    const again = await enrol({}, body.agentToken);
    expect([again.status, again.body]).toMatchObject([
      200,
      { deviceId: body.deviceId, status: 'awaiting_confirmation', returnsAs: before.deviceId },
    ]);
    expect((await decide(body.deviceId, 'confirm')).status).toBe(200);
    expect(await reads(before, again.body.agentToken)).toBe(200);
  });

  it('TEN-101 is taken out of service when its return is refused, and the former device stays', async () => {
    const before = await first();
    const { body } = await returning();
    const refused = await decide(body.deviceId, 'refuse');
    expect([refused.status, refused.body.status]).toEqual([200, 'decommissioned']);
    expect([await reads(body, body.agentToken), await reads(before, before.agentToken)]).toEqual([403, 200]);
    expect((await decide(before.deviceId, 'refuse')).body).toMatchObject({ status: 409, code: 'conflict' });
  });

  it.each([
    ['the key does not allow it, as by default', async () => undefined],
    [
      'the key is for another site',
      async () => {
        const { id: siteId } = await tenancy.site(partnerId, orgId);
        key = (await tenancy.enrollmentKey(partnerId, orgId, { siteId, allowReenrollment: true })).key;
      },
    ],
  ])('TEN-101 does not wait without its token when %s, and the answer says of which it is one', async (_, arrange) => {
    const before = await first();
    await arrange();
    const again = await enrol();
    expect([again.status, again.body.possibleDuplicateOf, again.body.returnsAs]).toEqual([
      201,
      before.deviceId,
      undefined,
    ]);
    expect(await reads(before, before.agentToken)).toBe(200);
  });

  it.each([
    ['has a placeholder as serial number', { serialNumber: 'Default string' }, {}],
    ['has another operating system', {}, { osType: 'linux' }],
  ])('ATK-220 TEN-102 that %s is another machine', async (_, both, now) => {
    await first(both);
    const again = await returning({ ...both, ...now });
    expect([again.status, again.body.possibleDuplicateOf, again.body.returnsAs]).toEqual([201, undefined, undefined]);
  });

  it('TEN-60 proves itself with its own token without a serial number too', async () => {
    const before = await first({ serialNumber: undefined });
    const again = await enrol({ serialNumber: 'None' }, before.agentToken);
    expect([again.status, again.body.deviceId]).toEqual([200, before.deviceId]);
  });

  it('TEN-60 keeps its device under a new host name with its old token and the same serial number', async () => {
    const before = await first();
    const again = await enrol({ hostname: 'PC-RENAMED', serialNumber: 'sn-1' }, before.agentToken);
    expect([again.status, again.body.deviceId]).toEqual([200, before.deviceId]);
    const shown = await tenancy.admin(partnerId).get(`/devices/${before.deviceId}`);
    expect(shown.body).toMatchObject({ hostname: 'PC-RENAMED' });
    const entries = (await tenancy.service.audits('device.reenroll')).filter(
      ({ resource }) => resource.id === before.deviceId,
    );
    expect(entries).toMatchObject([
      { resource: { name: 'PC-RENAMED' }, details: { formerHostname: MACHINE.hostname } },
    ]);
  });

  it.each([
    ['no serial number', {}, { serialNumber: undefined }],
    ['a placeholder as serial number', { serialNumber: 'None' }, { serialNumber: 'None' }],
    ['another serial number', {}, { serialNumber: 'SN-COPY' }],
  ])('TEN-60 with %s under another host name is a copy, and is refused the token', async (_, at, now) => {
    const before = await first(at);
    const copy = await enrol({ ...now, hostname: 'PC-COPY' }, before.agentToken);
    expect(copy.body).toMatchObject({ status: 401, code: 'token_invalid' });
    expect(await reads(before, before.agentToken)).toBe(200);
  });

  it.each([
    ['of another machine', async () => (await first({ hostname: 'PC-2', serialNumber: 'SN-2' })).agentToken],
    ['unknown', async () => `gha_${'x'.repeat(43)}`],
    [
      'of the machine in another organisation',
      async () => {
        const { id } = await tenancy.organization(partnerId);
        const other = await tenancy.enrollmentKey(partnerId, id);
        return (await tenancy.device(other.key, MACHINE)).agentToken;
      },
    ],
  ])('is refused with a token that is %s, and the key is not used up', async (_, tokenOf) => {
    await first();
    const token = await tokenOf();
    const keys = () => tenancy.service.sql('SELECT usage_count FROM enrollment_keys WHERE org_id = $1', [orgId]);
    const used = await keys();
    expect((await enrol({}, token)).body).toMatchObject({ status: 401, code: 'token_invalid' });
    expect(await keys()).toEqual(used);
  });

  it('never gets a decommissioned device back', async () => {
    const before = await first();
    await tenancy.admin(partnerId).post(`/devices/${before.deviceId}/decommission`).send({});
    expect((await enrol({}, before.agentToken)).body).toMatchObject({ status: 401, code: 'token_invalid' });
    const again = await enrol();
    expect([again.status, again.body.possibleDuplicateOf]).toEqual([201, undefined]);
    expect(again.body.deviceId).not.toBe(before.deviceId);
  });

  it('counts against maxUsage of the key and not against maxDevices', async () => {
    const capped = await tenancy.organization(partnerId, { maxDevices: 1 });
    const twice = await tenancy.enrollmentKey(partnerId, capped.id, { maxUsage: 2 });
    key = twice.key;
    const before = await first();
    expect((await enrol({}, before.agentToken)).status).toBe(200);
    expect((await enrol()).body).toMatchObject({ status: 401, code: 'enrollment_key_exhausted' });
    expect((await tenancy.admin(partnerId).get(`/enrollment-keys/${twice.id}`)).body.usageCount).toBe(2);
  });

  it('is audited, with the proof', async () => {
    const before = await first();
    await enrol({}, before.agentToken);
    const audits = (await tenancy.service.audits('device.reenroll')).filter(
      ({ resource }) => resource.id === before.deviceId,
    );
    expect(audits.map(({ details }) => details?.['proof'])).toEqual(['token']);
    expect(audits[0]).toMatchObject({ partnerId, orgId, actor: { type: 'agent', id: before.deviceId } });
  });

  it('TEN-69 is published for the administrators, at most once a day for each device', async () => {
    const before = await first();
    const told = async () =>
      (await tenancy.service.emitted(DeviceReenrolled)).filter(({ data }) => data.deviceId === before.deviceId);
    const again = await enrol({}, before.agentToken);
    const third = await enrol({}, again.body.agentToken);
    const { deviceId, siteId } = before;
    expect((await told()).map(({ data }) => data)).toEqual([{ deviceId, partnerId, orgId, siteId, hostname: 'PC-1' }]);
    await tenancy.service.sql(`UPDATE devices SET reenrolment_told_at = now() - interval '25 hours' WHERE id = $1`, [
      deviceId,
    ]);
    await enrol({}, third.body.agentToken);
    expect(await told()).toHaveLength(2);
  });

  it('is a new device each time without a serial number', async () => {
    const { deviceId } = await first({ serialNumber: undefined });
    await offline(deviceId, 60);
    const again = await enrol({ serialNumber: undefined });
    expect([again.status, again.body.possibleDuplicateOf]).toEqual([201, undefined]);
  });
});

describe('an agent that rotates its token', () => {
  it('TEN-61 gets a new one, and the old one works until that is used, for 60 seconds at most', async () => {
    const { deviceId, agentToken } = await first();
    const { status, body } = await rotate(deviceId, agentToken);
    expect([status, body]).toEqual([200, { agentToken: expect.stringMatching(/^gha_[\w-]{43}$/) }]);
    const agent = { deviceId };
    expect(await reads(agent, agentToken)).toBe(200);
    const published = await state(deviceId);
    expect(published).toMatchObject({
      agentTokenHash: sha256Hex(body.agentToken),
      previousTokenHash: sha256Hex(agentToken),
    });
    const lives = Date.parse(String(published?.previousTokenUntil)) - Date.now();
    expect(lives > 50_000 && lives <= 60_000).toBe(true);
    expect([await reads(agent, body.agentToken), await reads(agent, agentToken)]).toEqual([200, 401]);
    expect((await tenancy.service.audits('device.agent_token.rotate')).at(-1)).toMatchObject({
      partnerId,
      orgId,
      actor: { type: 'agent', id: deviceId },
    });
  });

  it('ATK-180 TEN-103 the old token is a sign of theft once the new one was used', async () => {
    const { deviceId, agentToken } = await first();
    const { body } = await rotate(deviceId, agentToken);
    await reads({ deviceId }, body.agentToken);
    expect((await rotate(deviceId, agentToken)).status).toBe(401);
    expect((await enrol({}, agentToken)).body).toMatchObject({ status: 401, code: 'token_invalid' });
    expect(await reads({ deviceId }, body.agentToken)).toBe(200);
    const ofDevice = (await tenancy.service.audits('device.token_reuse')).filter(
      ({ resource }) => resource.id === deviceId,
    );
    expect(ofDevice).toMatchObject([{ partnerId, orgId, result: 'denied', actor: { type: 'agent', id: deviceId } }]);
    const told = (await tenancy.service.emitted(DeviceReenrolled)).filter(({ data }) => data.deviceId === deviceId);
    expect(told.map(({ data }) => data.reason)).toEqual(['token_reuse']);
  });

  it('and lost the answer rotates again with the old token, which lives no longer for it', async () => {
    const { deviceId, agentToken } = await first();
    const lost = (await rotate(deviceId, agentToken)).body;
    const until = (await state(deviceId))?.previousTokenUntil;
    const repeated = (await rotate(deviceId, agentToken)).body;
    expect((await state(deviceId))?.previousTokenUntil).toEqual(until);
    const agent = { deviceId };
    expect([await reads(agent, lost.agentToken), await reads(agent, repeated.agentToken)]).toEqual([401, 200]);
  });

  it('can do so for its own device only, and not while its organisation is frozen', async () => {
    const { deviceId, agentToken } = await first();
    const other = await first({ hostname: 'PC-2', serialNumber: 'SN-2' });
    expect((await rotate(other.deviceId, agentToken)).body).toMatchObject({ status: 403, code: 'device_mismatch' });
    await tenancy.service.sql(`UPDATE organizations SET status = 'merging' WHERE id = $1`, [orgId]);
    expect((await rotate(deviceId, agentToken)).body).toMatchObject({ status: 409, code: 'organization_frozen' });
  });

  it.each<[string, (deviceId: string, token: string) => PromiseLike<object>]>([
    [
      "an administrator replaces the device's token",
      (id) => tenancy.admin(partnerId).post(`/devices/${id}/agent-token/rotate`).send({}),
    ],
    ['its machine enrols again', (_, token) => enrol({}, token)],
  ])('loses both tokens when %s', async (_, replace) => {
    const { deviceId, agentToken } = await first();
    const { body } = await rotate(deviceId, agentToken);
    await replace(deviceId, agentToken);
    expect([await reads({ deviceId }, agentToken), await reads({ deviceId }, body.agentToken)]).toEqual([401, 401]);
  });

  const rotate = (deviceId: string, token: string) =>
    tenancy.service.asAgent(token).post(`/agents/${deviceId}/token/rotate`).send({});
});

describe('an inventory', () => {
  it('TEN-62 replaces the members that it names, and is audited only when something changed', async () => {
    const { deviceId, agentToken } = await first({ osVersion: '10' });
    const answer = await report(deviceId, agentToken, { agentVersion: '2.1.0', serialNumber: null, uptime: 7 });
    expect([answer.status, answer.body]).toEqual([
      200,
      { deviceId, agentVersion: '2.1.0', osVersion: '10', serialNumber: null },
    ]);
    expect((await report(deviceId, agentToken, { agentVersion: '2.1.0' })).body).toEqual(answer.body);
    expect((await tenancy.admin(partnerId).get(`/devices/${deviceId}`)).body).toMatchObject({ agentVersion: '2.1.0' });
    const audits = (await tenancy.service.audits('device.inventory.update')).filter(
      ({ resource }) => resource.id === deviceId,
    );
    expect(audits).toMatchObject([
      { actor: { type: 'agent', id: deviceId }, details: { changedFields: ['agentVersion', 'serialNumber'] } },
    ]);
  });

  it('is refused when it is too long, or is about another device', async () => {
    const { deviceId, agentToken } = await first();
    expect((await report(deviceId, agentToken, { osVersion: 'x'.repeat(101) })).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    const other = await first({ hostname: 'PC-2', serialNumber: 'SN-2' });
    expect((await report(other.deviceId, agentToken, {})).body).toMatchObject({ status: 403, code: 'device_mismatch' });
  });

  const report = (deviceId: string, token: string, body: object) =>
    tenancy.service.asAgent(token).put(`/agents/${deviceId}/inventory`).send(body);
});

describe('the protocol of an agent', () => {
  it.each([
    ['by header', { 'X-Agent-Protocol': '2' }, {}, 2],
    ['in the body', {}, { agentProtocol: 2 }, 2],
    ['as one newer than the product knows', { 'X-Agent-Protocol': '7' }, {}, 2],
    ['not at all', {}, {}, 1],
    ['as something else', { 'X-Agent-Protocol': 'two' }, {}, 1],
  ])('TEN-63 is stated %s at enrolment, and published with the device', async (_, headers, fields, protocol) => {
    const { body } = await enrol(fields).set(headers);
    expect(await state(body.deviceId)).toMatchObject({ agentProtocol: protocol });
  });

  it('is kept from a later request too, and a request that states none changes nothing', async () => {
    const { deviceId, agentToken } = await first();
    const config = () => tenancy.service.asAgent(agentToken).get(`/agents/${deviceId}/config`);
    await config().set('X-Agent-Protocol', '2');
    expect(await state(deviceId)).toMatchObject({ agentProtocol: 2, version: 2 });
    await config().set('X-Agent-Protocol', '2');
    await config();
    expect(await state(deviceId)).toMatchObject({ agentProtocol: 2, version: 2 });
  });
});

const reads = async ({ deviceId }: { deviceId: string }, token: string): Promise<number> =>
  (await tenancy.service.asAgent(token).get(`/agents/${deviceId}/config`)).status;
const state = async (deviceId: string) =>
  (await tenancy.service.emitted(DeviceChanged)).filter(({ data }) => data.deviceId === deviceId).at(-1)?.data;

/** Sets a device offline whose agent was seen so many minutes ago. */
async function offline(deviceId: string, minutes: number): Promise<void> {
  await tenancy.service.sql('DELETE FROM device_presence WHERE device_id = $1', [deviceId]);
  await tenancy.service.sql(
    `UPDATE devices SET status = 'offline', last_seen_at = now() - make_interval(mins => $2) WHERE id = $1`,
    [deviceId, minutes],
  );
}
