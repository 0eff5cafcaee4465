import { ApprovalLevelsChanged } from '@gatehouse/contracts-pam';
import { DeviceChanged, OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { countQuestion, EventBus } from '@gatehouse/messaging';
import {
  type TenantDataHolder,
  tenantDataProgressed,
  TenantDataRequested,
  undeclaredTables,
} from '@gatehouse/tenant-data';
import { anOrgAdmin, type Client, startTestBroker, TestService } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { tenancyTenantData } from '../src/merge/tenant-data/tenancy-tenant-data.ts';
import { tenancyService } from '../src/service.ts';
import { created, Tenancy } from './tenancy.harness.ts';

let partnerId: string;
let sourceId: string;
let survivorId: string;
let admin: Client;

const broker = await startTestBroker();
const tenancy = await Tenancy.start({ PURGE_SWEEP_SECONDS: '1' }, broker.url);
afterAll(async () => {
  await tenancy.stop();
  await broker.stop();
});
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  [sourceId, survivorId] = [
    (await tenancy.organization(partnerId, { name: 'Source' })).id,
    (await tenancy.organization(partnerId, { name: 'Survivor' })).id,
  ];
  admin = tenancy.admin(partnerId);
});

describe('previewing a merge', () => {
  it('TEN-107 reports what moves, what is dropped or renamed, and changes nothing', async () => {
    await furnish();
    const { status, body } = await preview();
    expect(status).toBe(200);
    expect(body).toMatchObject({ verdict: 'ok', blockers: [], planToken: expect.any(String) });
    const table = (name: string) => body.tables.find((each: { table: string }) => each.table === name);
    expect(table('devices')).toEqual({ service: 'tenancy', table: 'devices', policy: 'move', move: 2, drop: 0 });
    expect(table('contacts')).toMatchObject({ move: 2, drop: 1 });
    expect(table('configuration_policy_assignments')).toMatchObject({ move: 1, drop: 1 });
    expect(body.totalMovableRows).toBe(body.tables.reduce((sum: number, { move }: { move: number }) => sum + move, 0));
    expect(body.warnings).toEqual([
      '2 records cannot move and will be deleted, as listed by kind.',
      'These capture policies end for the whole organisation; assign them to its sites: “P”.',
      'These custom fields get another key, because the surviving organisation has the same: “asset”.',
      'These device groups get a suffix, because the surviving organisation has the same: “Kiosks”.',
      'These scripts get a suffix, because the surviving organisation has the same: “Clean”.',
    ]);
    expect((await admin.get(`/orgs/organizations/${sourceId}`)).body.status).toBe('active');
    expect((await preview()).body.planToken).toBe(body.planToken);
  });

  it('refuses the same organisation, one out of reach, and callers without the right', async () => {
    expect((await preview({ survivorId: sourceId })).body).toMatchObject({ status: 400, code: 'same_organization' });
    const foreign = await tenancy.organization((await tenancy.partner()).id);
    expect((await preview({ survivorId: foreign.id })).body).toMatchObject({
      status: 404,
      code: 'organization_not_found',
    });
    expect(
      (
        await tenancy
          .admin(partnerId, { orgs: [sourceId] })
          .post(`/orgs/organizations/${sourceId}/merge-preview`)
          .send({ survivorId })
      ).body,
    ).toMatchObject({ status: 404, code: 'organization_not_found' });
    expect(
      (
        await tenancy
          .admin(partnerId, { mfa: false })
          .post(`/orgs/organizations/${sourceId}/merge-preview`)
          .send({ survivorId })
      ).body,
    ).toMatchObject({ status: 403, code: 'mfa_required' });
  });

  it('is blocked by a cap on devices, under which decommissioned ones do not count', async () => {
    const enrol = async (orgId: string) =>
      (await tenancy.device((await tenancy.enrollmentKey(partnerId, orgId)).key)).deviceId;
    await enrol(survivorId);
    await enrol(sourceId);
    for (let at = 0; at < 3; at++) await admin.post(`/devices/${await enrol(sourceId)}/decommission`);
    const blockersUnder = async (maxDevices: number) => {
      await admin.patch(`/orgs/organizations/${survivorId}`).send({ maxDevices });
      return (await preview()).body.blockers;
    };
    expect(await blockersUnder(2)).toEqual([]);
    expect(await blockersUnder(1)).toEqual(['The surviving organisation may have 1 devices and would have 2.']);
  });

  it('TEN-10 counts at the survivor what is being merged into it: enrolments, moves and other merges', async () => {
    const thirdId = (await tenancy.organization(partnerId, { name: 'Third', maxDevices: 9 })).id;
    const [ofSource = '', ofSurvivor = '', ofThird = ''] = await Promise.all(
      [sourceId, survivorId, thirdId].map(async (orgId) => (await tenancy.enrollmentKey(partnerId, orgId)).key ?? ''),
    );
    const enrol = (enrollmentKey: string) =>
      tenancy.service.as(null).post('/agents/enroll').send({ enrollmentKey, hostname: newId(), osType: 'windows' });
    const { siteId } = created<{ siteId: string }>(await enrol(ofSurvivor));
    const { deviceId } = created<{ deviceId: string }>(await enrol(ofThird));
    await enrol(ofSource);
    await admin.patch(`/orgs/organizations/${survivorId}`).send({ maxDevices: 2 });
    const runId = await tenancy.run('move', { partnerId, sourceId, targetId: survivorId });
    expect((await enrol(ofSurvivor)).body).toMatchObject({ status: 409, code: 'device_limit_reached', limit: 2 });
    const move = () => admin.post(`/devices/${deviceId}/move`).send({ orgId: survivorId, siteId });
    expect((await move()).body).toMatchObject({ status: 409, code: 'device_limit_reached' });
    const another = await admin.post(`/orgs/organizations/${thirdId}/merge-preview`).send({ survivorId });
    expect(another.body.blockers).toEqual(['The surviving organisation may have 2 devices and would have 3.']);
    await tenancy.service.sql(`UPDATE organization_runs SET step = 'rollback' WHERE id = $1`, [runId]);
    expect((await move()).status).toBe(200);
  });

  it('includes the remarks of other services, and is blocked by their blockers', async () => {
    const own = await startTestBroker();
    const along = await Tenancy.start({ TENANT_DATA_SERVICES: 'tenancy,identity' }, own.url);
    const identity = new EventBus({
      url: own.urlOf('identity'),
      name: 'identity',
      log: along.service.service.platform.log,
    });
    const remarks = { blockers: ['Too many keys.'], warnings: ['Two people stay behind.'] };
    identity.reply(countQuestion('identity'), async () => ({
      tables: [{ service: 'identity', table: 'roles', policy: 'move', move: 1, drop: 1 }],
      ...remarks,
    }));
    identity.start();
    await identity.whenReady();
    try {
      const { id } = await along.partner();
      const [from, into] = [await along.organization(id, { name: 'From' }), await along.organization(id)];
      const ask = (what: string) =>
        along
          .admin(id)
          .post(`/orgs/organizations/${from.id}/${what}`)
          .send({ survivorId: into.id, ...(what === 'merge' && { confirmName: 'From' }) });
      expect((await ask('merge-preview')).body).toMatchObject({
        verdict: 'blocked',
        blockers: remarks.blockers,
        warnings: ['1 record cannot move and will be deleted, as listed by kind.', ...remarks.warnings],
      });
      expect((await ask('merge')).body).toMatchObject({
        status: 422,
        code: 'merge_blocked',
        blockers: remarks.blockers,
      });
      remarks.blockers = [];
      const { jobId } = (await ask('merge')).body;
      expect(jobId).toEqual(expect.any(String));
      expect((await along.service.audits('organization.merge.start')).at(-1)?.details).toMatchObject({
        jobId,
        warnings: ['1 record cannot move and will be deleted, as listed by kind.', 'Two people stay behind.'],
      });
    } finally {
      await identity.close();
      await along.stop();
      await own.stop();
    }
  });

  it('is blocked by a frozen survivor', async () => {
    await admin.post(`/orgs/organizations/${survivorId}/archive`);
    expect((await preview()).body).toMatchObject({
      verdict: 'blocked',
      blockers: ['The surviving organisation is archived.'],
    });
    expect((await merge()).body).toMatchObject({
      status: 422,
      code: 'merge_blocked',
      blockers: ['The surviving organisation is archived.'],
    });
  });
});

describe('merging', () => {
  it('moves every row, resolves what collides, and retires the organisation', async () => {
    const { deviceId, groupId, siteId } = await furnish();
    const before = (await preview()).body;
    const started = await merge({ planToken: before.planToken });
    expect([started.status, started.body]).toEqual([202, { jobId: expect.any(String) }]);
    const run = await ended(started.body.jobId);
    expect(run).toMatchObject({
      state: 'completed',
      progress: { done: before.totalMovableRows, total: before.totalMovableRows },
      tables: before.tables,
    });
    for (const { policy, table } of tenancyTenantData.tables)
      if (policy !== 'keep') expect([table, await rowsOf(table, sourceId)]).toEqual([table, 0]);
    expect((await admin.get(`/devices/${deviceId}`)).body).toMatchObject({
      orgId: survivorId,
      siteId,
      groupIds: [groupId],
    });
    expect((await admin.get(`/device-groups/${groupId}`)).body.data).toMatchObject({
      orgId: survivorId,
      deviceCount: 1,
      name: expect.stringMatching(/^Kiosks .{8}$/),
    });
    expect(
      (await admin.get(`/orgs/organizations/${survivorId}/contacts`)).body.data.map(
        ({ name, isPrimary }: { name: string; isPrimary: boolean }) => [name, isPrimary],
      ),
    ).toEqual([
      ['A', false],
      ['B', true],
      ['C', true],
      ['L', false],
    ]);
    const moved = (await tenancy.service.emitted(DeviceChanged)).findLast(({ data }) => data.deviceId === deviceId);
    expect(moved).toMatchObject({ actor: { type: 'user' }, data: { orgId: survivorId, groupIds: [groupId] } });
    expect((await admin.get(`/orgs/organizations/${sourceId}`)).status).toBe(404);
    expect((await tenancy.service.emitted(OrganizationChanged)).at(-1)?.data).toMatchObject({
      orgId: sourceId,
      status: 'churned',
      deleted: true,
      mergedIntoId: survivorId,
    });
    expect((await tenancy.service.audits('organization.merge.complete')).at(-1)).toMatchObject({
      orgId: sourceId,
      result: 'success',
      actor: { type: 'user' },
      details: { survivorId, moved: before.totalMovableRows },
    });
    expect(await tenancy.service.sql('SELECT FROM tenant_moves')).toEqual([]);
    expect(await poll(newId())).toMatchObject({ status: 404, code: 'merge_run_not_found' });
    expect(await poll(started.body.jobId, tenancy.admin((await tenancy.partner()).id))).toMatchObject({ status: 404 });
  });

  it('PAM-306 the levels of the merged organisation name no group of the survivor, whose own levels do', async () => {
    const { deviceId, groupId, siteId } = await furnish();
    const named = (orgId: string, groupIds: string[], version: number) =>
      tenancy.service.deliver(ApprovalLevelsChanged, { orgId, partnerId, groupIds, version });
    await named(sourceId, [groupId], 7);
    expect(await ended((await merge()).body.jobId)).toMatchObject({ state: 'completed' });
    const confined = tenancy.as(anOrgAdmin(partnerId, survivorId, { sites: [siteId] }));
    const remove = () => confined.delete(`/device-groups/${groupId}/devices/${deviceId}`);
    expect((await remove()).status).toBe(200);
    await named(survivorId, [groupId], 1);
    expect((await remove()).body).toMatchObject({ status: 403, code: 'site_access_denied' });
  });

  it('TEN-10 does not begin when a device was enrolled at the survivor after the plan was made', async () => {
    await tenancy.device((await tenancy.enrollmentKey(partnerId, sourceId)).key);
    await admin.patch(`/orgs/organizations/${survivorId}`).send({ maxDevices: 1 });
    const { key } = await tenancy.enrollmentKey(partnerId, survivorId);
    const once = jest.spyOn(UnitOfWork.prototype, 'once').mockImplementationOnce(async function (
      this: UnitOfWork,
      caller,
      idempotency,
      work,
    ) {
      await tenancy.device(key);
      return this.once<never>(caller, idempotency, work as never);
    });
    expect((await merge()).body).toMatchObject({ status: 409, code: 'plan_stale' });
    once.mockRestore();
    expect((await admin.get(`/orgs/organizations/${sourceId}`)).body.status).toBe('active');
  });

  it('needs the right name and a plan that still holds', async () => {
    const { planToken } = (await preview()).body;
    expect((await merge({ confirmName: 'source' })).body).toMatchObject({ status: 400, code: 'name_mismatch' });
    await contact(sourceId, { name: 'new' });
    expect((await merge({ planToken })).body).toMatchObject({ status: 409, code: 'plan_stale' });
    expect((await admin.get(`/orgs/organizations/${sourceId}`)).body.status).toBe('active');
  });

  it('answers a repetition under the same Idempotency-Key with the first job, while it runs and when the organisation is gone', async () => {
    const send = (body: object = {}) => merge(body).set('idempotency-key', 'once');
    const first = await send();
    expect([first.status, (await send()).body]).toEqual([202, first.body]);
    await ended(first.body.jobId);
    const last = await send();
    expect([last.status, last.body]).toEqual([202, first.body]);
    expect((await send({ confirmName: 'Another' })).body).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
    expect(await tenancy.service.sql('SELECT id FROM organization_runs WHERE org_id = $1', [sourceId])).toEqual([
      { id: first.body.jobId },
    ]);
  });

  it('answers a repetition with the first job, though the first succeeds while the repetition is being looked at', async () => {
    const send = () => merge().set('idempotency-key', 'twice');
    const answers: unknown[] = [];
    const recalled = jest.spyOn(UnitOfWork.prototype, 'recalled').mockImplementationOnce(async function (
      this: UnitOfWork,
      caller,
      key,
    ) {
      const known = await this.recalled<never>(caller, key);
      answers.push((await send()).body);
      return known;
    });
    const repetition = await send();
    recalled.mockRestore();
    expect([repetition.status, answers]).toEqual([202, [repetition.body]]);
  });

  it('puts everything back when it fails', async () => {
    await furnish();
    const counts = async () =>
      Promise.all(
        ['devices', 'sites', 'contacts', 'device_groups', 'enrollment_keys'].map((table) => rowsOf(table, sourceId)),
      );
    const [before, primaries] = [
      await counts(),
      await tenancy.service.sql('SELECT id, is_primary FROM contacts WHERE org_id = $1 ORDER BY id', [sourceId]),
    ];
    await tenancy.service.sql(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.org_id <> OLD.org_id AND OLD.org_id = '${sourceId}' THEN RAISE 'disk full'; END IF; RETURN NEW; END $$`,
    );
    await tenancy.service.sql(
      'CREATE TRIGGER refuse BEFORE UPDATE ON enrollment_keys FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    try {
      const { jobId } = (await merge()).body;
      expect((await contact(sourceId, { name: 'late' })).body).toMatchObject({
        status: 409,
        code: 'organization_frozen',
      });
      expect((await admin.delete(`/orgs/organizations/${survivorId}`)).body).toMatchObject({
        status: 409,
        code: 'organization_frozen',
      });
      expect(await ended(jobId)).toMatchObject({ state: 'failed', error: expect.stringContaining('disk full') });
    } finally {
      await tenancy.service.sql('DROP TRIGGER refuse ON enrollment_keys; DROP FUNCTION refuse');
    }
    expect(await counts()).toEqual(before);
    expect(
      await tenancy.service.sql('SELECT id, is_primary FROM contacts WHERE org_id = $1 ORDER BY id', [sourceId]),
    ).toEqual(primaries);
    expect((await admin.get(`/orgs/organizations/${sourceId}`)).body.status).toBe('active');
    expect((await tenancy.service.audits('organization.merge.fail')).at(-1)).toMatchObject({
      orgId: sourceId,
      result: 'failure',
    });
    expect((await ended((await merge()).body.jobId)).state).toBe('completed');
  });

  it('continues where it stopped after the service restarts, and reads work during the merge', async () => {
    const rows = 20_000;
    await tenancy.service.sql(
      `INSERT INTO contacts (id, partner_id, org_id, name) SELECT gen_random_uuid(), $1, $2, 'c' || n
        FROM generate_series(1, ${rows}) n`,
      [partnerId, sourceId],
    );
    const second = await TestService.start(tenancyService, {
      replicaOf: tenancy.service as never,
      natsUrl: broker.url,
      env: { TENANT_DATA_SERVICES: 'tenancy' },
    });
    const { jobId } = (await merge()).body;
    while (((await poll(jobId)).progress.done as number) < 2000) await wait(20);
    await second.stop();
    expect((await admin.get(`/orgs/organizations/${survivorId}/contacts?limit=1`)).status).toBe(200);
    expect(await ended(jobId)).toMatchObject({ state: 'completed', progress: { done: rows, total: rows } });
    expect([await rowsOf('contacts', survivorId), await rowsOf('contacts', sourceId)]).toEqual([rows, 0]);
  });

  it('does not begin to move what was put back already, though the request to move arrives last', async () => {
    await contact(sourceId, { name: 'A' });
    const run = {
      runId: await tenancy.run('rollback', { partnerId, sourceId, targetId: survivorId }),
      sourceId,
      targetId: survivorId,
    };
    for (const step of ['rollback', 'move'] as const)
      await tenancy.service.deliver(TenantDataRequested, { ...run, step });
    while (
      (await tenancy.service.sql('SELECT FROM tenant_tasks WHERE run_id = $1 AND done_at IS NULL', [run.runId]))
        .length > 0
    )
      await wait(50);
    expect([await rowsOf('contacts', survivorId), await rowsOf('contacts', sourceId)]).toEqual([0, 1]);
  });
});

describe('purging', () => {
  it('deletes what an archived organisation had when its retention is over, and not before', async () => {
    await furnish();
    for (const id of [sourceId, survivorId])
      await admin.post(`/orgs/organizations/${id}/archive`).send({ retentionDays: 1 });
    await tenancy.service.sql('UPDATE organizations SET purge_at = now() WHERE id = $1', [sourceId]);
    for (let tries = 0; tries < 80 && (await admin.get(`/orgs/organizations/${sourceId}`)).status === 200; tries++)
      await wait(250);
    expect((await admin.get(`/orgs/organizations/${sourceId}`)).status).toBe(404);
    for (const { policy, table } of tenancyTenantData.tables)
      if (policy !== 'keep') expect([table, await rowsOf(table, sourceId)]).toEqual([table, 0]);
    expect((await tenancy.service.audits('organization.purge')).at(-1)).toMatchObject({
      partnerId,
      orgId: sourceId,
      actor: { type: 'system' },
    });
    expect((await admin.get(`/orgs/organizations/${survivorId}`)).body.status).toBe('archived');
    expect((await admin.get(`/orgs/organizations/${survivorId}/contacts`)).body.pagination.total).toBe(2);
  });

  it('ends although an earlier report of a service arrives after its last one', async () => {
    await admin.post(`/orgs/organizations/${sourceId}/archive`);
    const runId = await tenancy.run('purge', {
      partnerId,
      sourceId,
      targetId: null,
      participants: ['pam', 'identity'],
    });
    const report = (service: TenantDataHolder, done: number, finished: boolean) =>
      tenancy.service.deliver(tenantDataProgressed(service), {
        runId,
        step: 'purge',
        service,
        done,
        finished,
        error: null,
      });
    await report('pam', 2000, true);
    await report('pam', 1000, false);
    await report('identity', 10, true);
    expect(await tenancy.service.sql('SELECT state FROM organization_runs WHERE id = $1', [runId])).toEqual([
      { state: 'completed' },
    ]);
  });

  it('knows a policy for every tenant table', async () => {
    expect(await undeclaredTables(tenancyTenantData, (text) => tenancy.service.sql(text))).toEqual([]);
  });
});

const preview = (body: object = { survivorId }) =>
  admin.post(`/orgs/organizations/${sourceId}/merge-preview`).send(body);
const merge = (body: object = {}) =>
  admin.post(`/orgs/organizations/${sourceId}/merge`).send({ survivorId, confirmName: 'Source', ...body });
const poll = async (jobId: string, client = admin) =>
  (await client.get(`/orgs/organizations/merge-runs/${jobId}`)).body;
const ended = async (jobId: string, client = admin) => {
  for (let tries = 0; tries < 240; tries++) {
    const run = await poll(jobId, client);
    if (run.state === 'completed' || run.state === 'failed') return run;
    await wait(250);
  }
  throw new Error(`the run did not end: ${JSON.stringify(await poll(jobId, client))}`);
};
const rowsOf = async (table: string, orgId: string) =>
  (await tenancy.service.sql<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE org_id = $1`, [orgId]))[0]
    ?.n;
const contact = (orgId: string, fields: object) => admin.post(`/orgs/organizations/${orgId}/contacts`).send(fields);

async function furnish(): Promise<{ deviceId: string; groupId: string; siteId: string }> {
  const siteId = (await tenancy.site(partnerId, sourceId)).id;
  const { deviceId } = await tenancy.device((await tenancy.enrollmentKey(partnerId, sourceId, { siteId })).key);
  await tenancy.device((await tenancy.enrollmentKey(partnerId, sourceId)).key);
  await tenancy.device((await tenancy.enrollmentKey(partnerId, survivorId)).key);
  const make = async (path: string, body: object) =>
    created<{ data: { id: string } }>(await admin.post(path).send(body)).data.id;
  const ofOrganization = { ownerScope: 'organization', orgId: sourceId };
  const field = { ...ofOrganization, name: 'Asset', fieldKey: 'asset', type: 'text' };
  const groupId = await make('/device-groups', { orgId: sourceId, name: 'Kiosks' });
  await make('/device-groups', { orgId: survivorId, name: 'Kiosks' });
  await make('/custom-fields', field);
  await make('/custom-fields', { ...field, type: 'number', orgId: survivorId });
  for (const orgId of [sourceId, survivorId])
    await make('/scripts', { name: 'Clean', content: 'x', availability: 'organization', orgId });
  await admin.post(`/device-groups/${groupId}/devices`).send({ deviceIds: [deviceId] });
  await contact(sourceId, { name: 'A', isPrimary: true });
  await contact(sourceId, { name: 'B', siteId, isPrimary: true });
  await contact(survivorId, { name: 'C', isPrimary: true });
  const link = { name: 'L', externalSystem: 'crm', externalId: '1' };
  const rows = [sourceId, survivorId].map((organizationId) => ({ organizationId, ...link }));
  await admin.post('/orgs/contacts/import').send({ rows });
  const policy = await make('/configuration-policies', { ...ofOrganization, name: 'P', features: {} });
  for (const [level, targetId] of Object.entries({ organization: sourceId, device: deviceId }))
    await admin.post(`/configuration-policies/${policy}/assignments`).send({ level, targetId });
  return { deviceId, groupId, siteId };
}
