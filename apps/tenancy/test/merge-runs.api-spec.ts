import { MergeProgressed } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { type Step, tenantDataProgressed } from '@gatehouse/tenant-data';
import { aPartnerAdmin, anOrgAdmin, type Client } from '@gatehouse/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { besideTenancy, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
let partnerId: string;
let admin: Client;
besideTenancy((started) => (tenancy = started));
beforeEach(async () => {
  partnerId = (await tenancy.partner()).id;
  admin = tenancy.admin(partnerId);
});

describe('the list of merges', () => {
  it('shows merges under way and past ones to every administrator, the newest first, with names and author', async () => {
    const [from, into] = [await organization('From'), await organization('Into')];
    const started = tenancy.as(aPartnerAdmin(partnerId, { name: 'Ada' }));
    const { body: job } = await started
      .post(`/orgs/organizations/${from}/merge`)
      .send({ survivorId: into, confirmName: 'From' });
    const [other, third] = [await organization('Other'), await organization('Third')];
    const past = await tenancy.run('move', { partnerId, sourceId: other, targetId: third });
    await tenancy.service.sql(
      `UPDATE organization_runs SET state = 'failed', error = 'full', finished_at = now() WHERE id = $1`,
      [past],
    );
    const { body } = await merges();
    expect(body).toEqual({
      data: [
        expect.objectContaining({ jobId: past, state: 'failed', error: 'full', finishedAt: expect.any(String) }),
        {
          jobId: job.jobId,
          orgId: from,
          orgName: 'From',
          survivorId: into,
          survivorName: 'Into',
          startedBy: { type: 'user', id: expect.any(String), name: 'Ada' },
          startedAt: expect.any(String),
          finishedAt: null,
          state: 'queued',
          progress: { done: 0, total: 0 },
          tables: expect.any(Array),
          warnings: [],
        },
      ],
      pagination: { page: 1, limit: 50, total: 2 },
    });
    expect((await admin.get(`/orgs/organizations/merge-runs/${job.jobId}`)).body).toEqual(body.data[1]);
    expect(jobsOf(await merges('state=queued,running'))).toEqual([job.jobId]);
    expect(jobsOf(await merges('state=failed'))).toEqual([past]);
    expect(jobsOf(await merges('limit=1&page=2'))).toEqual([job.jobId]);
  });

  it('TEN-85 is told of the progress of a merge: of each percent, and of its end', async () => {
    const [from, into] = [await organization('From'), await organization('Into')];
    const jobId = await tenancy.run('move', { partnerId, sourceId: from, targetId: into, participants: ['tenancy'] });
    await tenancy.service.sql('UPDATE organization_runs SET total = 1000 WHERE id = $1', [jobId]);
    const report = (step: Step, done: number, finished = false) =>
      tenancy.service.deliver(tenantDataProgressed('tenancy'), {
        runId: jobId,
        step,
        service: 'tenancy',
        done,
        finished,
        error: null,
      });
    for (const done of [4, 8, 500, 509]) await report('move', done);
    await report('move', 990, true);
    await report('finish', 10, true);
    const events = (await tenancy.service.emitted(MergeProgressed)).map(({ data }) => data);
    const told = { jobId, partnerId, orgId: from, total: 1000 };
    expect(events.filter((event) => event.jobId === jobId)).toEqual([
      { ...told, state: 'running', done: 4 },
      { ...told, state: 'running', done: 500 },
      { ...told, state: 'running', done: 990 },
      { ...told, state: 'completed', done: 1000 },
    ]);
  });

  it('leaves out purges, and merges of which an organisation is outside the reach', async () => {
    const [from, into, purged] = [await organization('From'), await organization('Into'), await organization('Old')];
    const run = await tenancy.run('move', { partnerId, sourceId: from, targetId: into });
    await tenancy.run('purge', { partnerId, sourceId: purged, targetId: null });
    expect(jobsOf(await merges())).toEqual([run]);
    expect(jobsOf(await merges('', tenancy.admin(partnerId, { orgs: [from, into] })))).toEqual([run]);
    for (const orgs of [[from], [into], [newId()], []])
      expect(jobsOf(await merges('', tenancy.admin(partnerId, { orgs })))).toEqual([]);
    expect(jobsOf(await merges('', tenancy.admin((await tenancy.partner()).id)))).toEqual([]);
  });

  it('needs what reading one merge needs', async () => {
    const viewer = await merges('', tenancy.admin(partnerId, { permissions: ['organizations:read'] }));
    expect([viewer.status, viewer.body.code]).toEqual([403, 'permission_denied']);
    const ofOrganization = await merges('', tenancy.as(anOrgAdmin(partnerId, newId())));
    expect([ofOrganization.status, ofOrganization.body.code]).toEqual([403, 'scope_denied']);
  });

  it.each(['state=done', 'state=', 'status=failed'])('refuses %s', async (query) => {
    expect((await merges(query)).status).toBe(400);
  });
});

const organization = async (name: string) => (await tenancy.organization(partnerId, { name })).id;
const merges = (query = '', client = admin) => client.get(`/orgs/organizations/merge-runs?${query}`);
const jobsOf = ({ body }: { body: { data: { jobId: string }[] } }): string[] => body.data.map(({ jobId }) => jobId);
