import type { JobState } from '@gatehouse/contracts-core';
import { type ReplayChangeRecord, type ReplaySummaryRecord, RulesetApplied } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { besidePam, type PamHarness, type Tenant } from './pam.harness.ts';

describe('a replay', () => {
  let pam: PamHarness;
  let acme: Tenant;
  besidePam((started) => (pam = started));
  beforeEach(async () => {
    acme = await pam.tenant();
  });

  it('PAM-240 compares every request under the present rules and the candidate, and says what was recorded', async () => {
    const deny = await rule({ matchPathGlob: 'C:/Tools/**' });
    const tool = await pam.request(acme, { path: 'C:\\Tools\\a.exe', status: 'denied' });
    await pam.request(acme, { path: 'C:\\Other\\a.exe', deviceId: acme.otherDeviceId });
    const job = await replayed({
      name: 'tidy',
      changes: [{ op: 'remove', ruleId: deny }, add('grant', { matchPathGlob: '**/a.exe' })],
    });
    expect(job).toMatchObject({ state: 'completed', progress: { done: 2, total: 2 }, name: 'tidy' });
    expect(await pam.service.metrics()).toMatch(/^gatehouse_pam_replay_seconds_count\{.*result="done".*\} [1-9]/m);
    expect(job.summary).toMatchObject({
      totalScanned: 2,
      truncated: false,
      changed: 2,
      newlyAutoApproved: 2,
      newlyDenied: 0,
      newlyIgnored: 0,
      newlyPending: 0,
      devicesAffected: 2,
      perRule: [
        { ruleId: null, ref: 'grant', before: 0, after: 2 },
        { ruleId: deny, ref: null, before: 1, after: 0 },
      ],
    });
    expect(job.summary.transitions).toEqual([
      { from: 'denied', to: 'auto_approved', count: 1 },
      { from: 'pending', to: 'auto_approved', count: 1 },
    ]);
    expect(job.summary.caveats).toEqual([
      'ignored_not_recorded',
      'places_are_current',
      'freezes_left_out',
      'groups_unknown',
    ]);
    const changes = await changesOf(job.jobId);
    expect(changes).toHaveLength(2);
    expect(changes.find(({ requestId }) => requestId === tool)).toMatchObject({
      deviceId: acme.deviceId,
      deviceHostname: 'DESK-1',
      flowType: 'uac_intercept',
      before: { outcome: 'denied', source: 'pam_rule', ruleId: deny, ref: null, policyId: null, held: null },
      after: { outcome: 'auto_approved', source: 'pam_rule', ruleId: null, ref: 'grant', policyId: null, held: null },
      recorded: { status: 'denied', source: null },
    });
    expect(await changesOf(job.jobId, `?deviceId=${acme.otherDeviceId}&to=auto_approved`)).toHaveLength(1);
    expect(await changesOf(job.jobId, '?from=denied')).toMatchObject([{ requestId: tool }]);
    expect(await changesOf(job.jobId, '?from=auto_approved')).toEqual([]);
    expect(await changesOf(job.jobId, '?to=denied')).toEqual([]);
    const { body } = await adminOf(acme).get('/pam/replays');
    const { jobId, createdAt, summary } = job;
    expect(body.replays).toMatchObject([{ jobId, state: 'completed', name: 'tidy', createdAt, summary }]);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(body.replays[0]).not.toHaveProperty('changes');
  });

  it('finds nothing without a change, and a changed default alone is one', async () => {
    await pam.requests(acme, 300);
    expect((await replayed({})).summary).toMatchObject({ totalScanned: 300, changed: 0, transitions: [] });
    expect((await replayed({ changes: [], defaultUnmatchedVerdict: 'auto_deny' })).summary).toMatchObject({
      changed: 300,
      newlyDenied: 300,
    });
  });

  it('PAM-242 is applied exactly as it was replayed, in one change of the rulebook', async () => {
    const [low, high] = [
      await rule({ name: 'low', priority: 5, matchUser: 'ann' }),
      await rule({ name: 'high', priority: 7, matchPathGlob: 'C:/Tools/**' }),
    ];
    const requests = [];
    for (const path of ['C:\\Tools\\a.exe', 'C:\\Tools\\b.exe', 'C:\\Temp\\a.exe', 'C:\\Temp\\..\\a.exe'])
      requests.push(await pam.request(acme, { path }));
    const job = await replayed({
      changes: [
        add('grant', { matchPathGlob: '**/a.exe' }),
        { op: 'update', ruleId: high, patch: { verdict: 'require_approval', description: 'asks' } },
        { op: 'reorder', ruleIds: [high, 'grant', low] },
      ],
      defaultUnmatchedVerdict: 'auto_deny',
    });
    const { newlyAutoApproved } = job.summary;
    const before = await pam.rulebookVersion(acme);
    const applied = await apply(job.jobId, newlyAutoApproved);
    expect(applied).toMatchObject({ status: 200, body: { success: true, rulebookVersion: before + 1 } });
    expect(await pam.rulebookVersion(acme)).toBe(before + 1);
    expect(applied.body.rules).toMatchObject([
      { id: high, priority: 10, verdict: 'require_approval', description: 'asks', version: 2 },
      { name: 'grant', priority: 20, version: 1 },
      { id: low, priority: 30, version: 2 },
    ]);
    expect((await adminOf(acme).get('/pam/rules')).body.rules).toMatchObject(applied.body.rules);
    expect((await adminOf(acme).get('/pam/config')).body.config.defaultUnmatchedVerdict).toBe('auto_deny');
    const [entry] = await pam.service.audits('pam.ruleset.apply');
    expect(entry).toMatchObject({
      resource: { type: 'pam.ruleset', id: job.jobId },
      orgId: acme.orgId,
      details: {
        defaultUnmatchedVerdict: 'auto_deny',
        rules: [
          { change: 'create' },
          { ruleId: high, change: 'update', fields: ['description', 'verdict', 'priority'] },
          { ruleId: low, change: 'update', fields: ['priority'] },
        ],
      },
    });
    expect(await pam.service.emitted(RulesetApplied)).toMatchObject([
      { data: { replayId: job.jobId, orgId: acme.orgId, version: before + 1, changedRules: 3 } },
    ]);
    // Decided anew: against a candidate that leaves everything to people, `before` is what the rules say now.
    const remove = applied.body.rules.map(({ id }: { id: string }) => ({ op: 'remove', ruleId: id }));
    const anew = await replayed({ changes: remove, defaultUnmatchedVerdict: 'require_approval' });
    const now = new Map(
      (await changesOf(anew.jobId)).map(({ requestId, before: { outcome } }) => [requestId, outcome]),
    );
    const told = new Map((await changesOf(job.jobId)).map(({ requestId, after: { outcome } }) => [requestId, outcome]));
    expect(told.size).toBe(requests.length);
    for (const id of requests) expect(now.get(id) ?? 'pending').toBe(told.get(id));
    expect((await apply(job.jobId, newlyAutoApproved)).body).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('PAM-243, REPLAY-03: is applied only under the rules and with the number that it told', async () => {
    await pam.request(acme);
    const job = await replayed({ changes: [add('grant', { matchUser: 'ann' })] });
    expect((await apply(job.jobId, 0)).body).toMatchObject({ status: 409, code: 'plan_stale' });
    expect((await apply(job.jobId, 1, adminOf(acme, { mfa: false }))).body.code).toBe('mfa_required');
    const version = await pam.rulebookVersion(acme);
    await rule({ matchUser: 'colleague' });
    expect((await apply(job.jobId, 1)).body).toMatchObject({ status: 409, code: 'rulebook_stale' });
    expect(await pam.rulebookVersion(acme)).toBe(version + 1);
    expect((await adminOf(acme).get('/pam/rules')).body.rules).toHaveLength(1);
  });

  it("REPLAY-02: refuses what is another tenant's, and names the change", async () => {
    const other = await pam.tenant();
    const theirs = (
      await adminOf(other).post('/pam/rules').send({ name: 'theirs', verdict: 'auto_deny', matchUser: 'bob' })
    ).body.rule.id as string;
    const own = await rule({ matchUser: 'ann' });
    const valid = { op: 'update', ruleId: own, patch: { description: 'fine' } };
    const cases: [object, number, string][] = [
      [{ op: 'update', ruleId: theirs, patch: { enabled: false } }, 404, 'rule_not_found'],
      [{ op: 'remove', ruleId: theirs }, 404, 'rule_not_found'],
      [add('a', { matchUser: 'x', siteId: other.siteId }), 400, 'site_not_in_org'],
      [add('a', { matchUser: 'x', orgId: other.orgId }), 400, 'validation_failed'],
      [add('a', { matchSignerGroupId: newId() }), 400, 'signer_group_not_in_org'],
      [add('a', {}), 400, 'pam_rule_invalid'],
      [{ op: 'reorder', ruleIds: [own, theirs] }, 400, 'validation_failed'],
      [{ op: 'reorder', ruleIds: [] }, 400, 'validation_failed'],
      [{ op: 'add', ref: 'a' }, 400, 'validation_failed'],
      [{ op: 'remove', ruleId: own, ref: 'a' }, 400, 'validation_failed'],
    ];
    for (const [change, status, code] of cases) {
      const { body } = await start({ changes: [valid, change] });
      expect({ change, body }).toMatchObject({ change, body: { status, code } });
      expect(body.issues[0].path).toMatch(/^changes\[1\]/);
    }
    expect((await start({ orgId: other.orgId })).body.code).toBe('organization_not_found');
    for (const body of [{ windowDays: 91 }, { unknown: 1 }, { changes: [{ op: 'move' }] }])
      expect((await start(body)).status).toBe(400);
    expect((await adminOf(acme).get('/pam/replays')).body.replays).toEqual([]);
  });

  it('ATK-163 PAM-354 keeps its author as an editor when another person applies it, and tells both in the audit log', async () => {
    const [alice, bob] = [await pam.technician(acme), await pam.technician(acme)];
    const policy = { levels: [], default: { approvals: 1 }, separation: { ruleEditors: true, aiRequester: false } };
    expect((await adminOf(acme).put('/pam/approval-policy').send(policy)).status).toBe(200);
    const ask = (person: typeof alice) =>
      pam.as(person).post('/pam/elevation-requests').send({ deviceId: acme.deviceId, reason: 'x' });
    for (const person of [alice, bob]) expect((await ask(person)).body.status).toBe('pending');
    const changes = [add('alice', { matchUser: alice.email }), add('bob', { matchUser: bob.email })];
    const replay = await replayed({ changes }, pam.as(alice));
    expect(replay.summary.newlyAutoApproved).toBe(1);
    const started = (await pam.service.audits('pam.replay.start')).find(({ resource }) => resource.id === replay.jobId);
    expect(started).toMatchObject({ actor: { id: alice.userId }, details: { changes: 2, windowDays: 30 } });
    const refused = await apply(replay.jobId, 1, pam.as(bob));
    expect(refused.body).toMatchObject({ status: 409, code: 'plan_stale', newlyAutoApproved: 0, newlyPending: 0 });
    expect((await apply(replay.jobId, 0, pam.as(bob))).status).toBe(200);
    const applied = (await pam.service.audits('pam.ruleset.apply')).find(
      ({ resource, result }) => resource.id === replay.jobId && result === 'success',
    );
    expect(applied).toMatchObject({
      actor: { id: bob.userId },
      details: { newlyAutoApproved: 0, replayAuthor: { id: alice.userId } },
    });
    for (const person of [alice, bob]) {
      const { body } = await ask(person);
      expect([person.email, body.status]).toEqual([person.email, 'pending']);
    }
  });

  it.each([
    ['partners', () => pam.tenant(acme.partnerId), () => pam.tenant(), 'queued'],
    ['organisations of one partner', () => Promise.resolve(acme), () => pam.tenant(acme.partnerId), 'completed'],
  ] as const)('ATK-218 PAM-355 of %s take turns, whoever queued most', async (_, busy, other, first) => {
    const [crowd, quiet] = [[await busy(), await busy()], await other()];
    const all = [...crowd, quiet];
    const states = [first, 'queued', 'queued'];
    const queued = await pam.service.sql<{ id: string; orgId: string }>(
      `INSERT INTO pam_replays (id, partner_id, org_id, since, changes, rulebook_version, created_by, created_at, state,
          served_at, finished_at)
        SELECT gen_random_uuid(), t.partner, t.org, now() - interval '1 day', '[]', 1, gen_random_uuid(),
          now() + make_interval(secs => t.place), t.state, d.done, d.done
          FROM unnest($1::uuid[], $2::uuid[], $3::text[]) WITH ORDINALITY AS t(partner, org, state, place)
          CROSS JOIN LATERAL (SELECT CASE WHEN t.state = 'completed' THEN now() END AS done) AS d
          RETURNING id, org_id AS "orgId"`,
      [all.map(({ partnerId }) => partnerId), all.map(({ orgId }) => orgId), states],
    );
    const jobs = queued.map(({ id }) => id);
    const last = queued.find(({ orgId }) => orgId === quiet.orgId)?.id ?? '';
    const ended = "SELECT id FROM pam_replays WHERE id = ANY ($1::uuid[]) AND state = 'completed' ORDER BY served_at";
    const served = async () => (await pam.service.sql<{ id: string }>(ended, [jobs])).map(({ id }) => id);
    while ((await served()).length < jobs.length) await wait(50);
    expect((await served()).indexOf(last)).toBeLessThanOrEqual(1);
  });

  it('PAM-245 is foreign to other tenants, and to callers who do not reach its sites', async () => {
    await pam.request(acme);
    await pam.request(acme, { deviceId: acme.otherDeviceId });
    const here = { sites: [acme.siteId] };
    const risky = { verdict: 'auto_approve', matchPathGlob: 'C:/Users/**' };
    const hidden = await rule({ ...risky, siteId: acme.otherSiteId });
    const shown = await rule({ ...risky, siteId: acme.siteId });
    const all = await replayed({ changes: [add('grant', { matchUser: 'ann' })] });
    const confined = await replayed({ changes: [add('grant', { matchUser: 'ann' })] }, adminOf(acme, here));
    expect([all.summary.totalScanned, confined.summary.totalScanned]).toEqual([2, 1]);
    const lintedIn = ({ summary: { lint } }: Pick<Job, 'summary'>) => new Set(lint.map(({ ruleId }) => ruleId));
    expect(lintedIn(all)).toEqual(new Set(['grant', hidden, shown]));
    expect(lintedIn(confined)).toEqual(new Set(['grant', shown]));
    const draft = { rule: { name: 'draft', verdict: 'auto_approve', matchUser: 'ann' } };
    const simulated = await adminOf(acme, here).post('/pam/rules/simulate').send(draft);
    expect(lintedIn(simulated.body)).toEqual(new Set(['draft', shown]));
    const elsewhere = adminOf(acme, { sites: [acme.otherSiteId] });
    const stranger = adminOf(await pam.tenant());
    for (const client of [stranger, elsewhere])
      for (const request of [
        client.get(`/pam/replays/${confined.jobId}`),
        client.get(`/pam/replays/${confined.jobId}/changes`),
        client.post(`/pam/replays/${confined.jobId}/cancel`).send({}),
        apply(confined.jobId, 1, client),
      ])
        expect((await request).body).toMatchObject({ status: 404, code: 'replay_not_found' });
    expect((await adminOf(acme, here).get(`/pam/replays/${all.jobId}`)).status).toBe(404);
    const listed = (await adminOf(acme, here).get('/pam/replays')).body.replays;
    expect(listed.map(({ jobId }: Job) => jobId)).toEqual([confined.jobId]);
    expect((await apply(confined.jobId, 1, adminOf(acme, here))).body).toMatchObject({
      status: 403,
      code: 'site_access_denied',
    });
    // Nor by others, whom it would tell the new grants of some sites only.
    expect((await apply(confined.jobId, 1)).body).toMatchObject({ status: 409, code: 'conflict' });
    const own = await replayed({ changes: [{ op: 'remove', ruleId: shown }] }, adminOf(acme, here));
    expect((await apply(own.jobId, 0)).status).toBe(200);
    const reader = adminOf(acme, { permissions: ['devices:read'] });
    expect([(await start({}, reader)).status, (await reader.get('/pam/replays')).status]).toEqual([403, 200]);
    const partner = pam.as(aPartnerAdmin(acme.partnerId));
    await pam.tenant(acme.partnerId);
    expect((await start({}, partner)).body.code).toBe('org_required');
  });

  it('REPLAY-05: runs once at a time for an organisation, and can be cancelled', async () => {
    await pam.requests(acme, 5000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => start({})));
    const [first, ...more] = answers.filter(({ status }) => status === 202);
    expect(more).toEqual([]);
    const { jobId } = first!.body;
    const refused = answers.filter(({ status }) => status !== 202).map(({ body }) => body);
    for (const body of refused) expect(body).toMatchObject({ status: 409, code: 'job_running', jobId });
    const cancelled = await adminOf(acme).post(`/pam/replays/${jobId}/cancel`).send({});
    expect(cancelled).toMatchObject({ status: 200, body: { success: true, jobId, state: 'cancelled' } });
    expect((await apply(jobId, 0)).body.code).toBe('conflict');
    expect((await adminOf(acme).post(`/pam/replays/${jobId}/cancel`).send({})).body.code).toBe('conflict');
    expect((await replayed({})).summary.totalScanned).toBe(5000);
  });

  it('REPLAY-06: goes on after a run that stopped half-way, with equal counts', async () => {
    await pam.requests(acme, 5000);
    const body = { changes: [add('grant', { matchUser: 'ann' })] };
    const whole = await replayed(body);
    const { body: begun } = await start(body);
    const half = `UPDATE pam_replays SET state = 'running', lease = gen_random_uuid(),
      leased_until = now() + interval '1 hour' WHERE id = $1`;
    await pam.service.sql(half, [begun.jobId]);
    // As a run leaves it that saved its first batch: what it found so far, and where it stood.
    const first = (await changesOf(whole.jobId, '?limit=100')).map(({ requestId }) => requestId);
    await pam.service.sql(
      `UPDATE pam_replays SET position = $2, done = 100, total = 5000, leased_until = now(),
         tally = '{"scanned": 100, "changed": 100, "withoutGroups": 100, "transitions": {"pending>auto_approved": 100}, "before": {}, "after": {}, "spent": 0}' WHERE id = $1`,
      [begun.jobId, first.at(-1)],
    );
    await pam.service.sql(
      `INSERT INTO pam_replay_changes SELECT $1, request_id, partner_id, org_id, requested_at, device_id,
        device_hostname, flow_type, outcome, before, after, recorded_status, recorded_source
         FROM pam_replay_changes WHERE replay_id = $2 AND request_id = ANY ($3::uuid[])`,
      [begun.jobId, whole.jobId, first],
    );
    const resumed = await ended(String(begun.jobId));
    const { perRule: _, ...counts } = whole.summary;
    expect(resumed.summary).toMatchObject(counts);
    expect((await changesOf(resumed.jobId, '?limit=1')).length).toBe(1);
    const [kept] = await pam.service.sql('SELECT count(*)::int AS count FROM pam_replay_changes WHERE replay_id = $1', [
      resumed.jobId,
    ]);
    expect(kept).toEqual({ count: 5000 });
  });

  const adminOf = ({ partnerId, orgId }: Tenant, overrides: object = {}) =>
    pam.as(anOrgAdmin(partnerId, orgId, overrides));
  const start = (body: object, client = adminOf(acme)) => client.post('/pam/replays').send(body);
  const rule = async (own: object): Promise<string> => {
    const body = { name: 'rule', verdict: 'auto_deny', ...own };
    return (await adminOf(acme).post('/pam/rules').send(body)).body.rule.id as string;
  };
  const add = (ref: string, body: object) => ({
    op: 'add',
    ref,
    rule: { name: ref, verdict: 'auto_approve', ...body },
  });

  async function ended(jobId: string): Promise<Job> {
    for (;;) {
      const { body } = await adminOf(acme).get(`/pam/replays/${jobId}`);
      if (!['queued', 'running'].includes(String(body.state))) return body as Job;
      await wait(50);
    }
  }

  async function replayed(body: object, client = adminOf(acme)): Promise<Job> {
    const started = await start(body, client);
    expect(started).toMatchObject({ status: 202, body: { success: true } });
    return ended(String(started.body.jobId));
  }

  const changesOf = async (jobId: string, query = ''): Promise<ReplayChangeRecord[]> =>
    (await adminOf(acme).get(`/pam/replays/${jobId}/changes${query}`)).body.changes;
  const apply = (jobId: string, acceptNewlyApproved: number, client = adminOf(acme)) =>
    client.post(`/pam/replays/${jobId}/apply`).send({ acceptNewlyApproved });
});

describe('a simulated rule', () => {
  let pam: PamHarness;
  besidePam((started) => (pam = started));

  it('PAM-244 is replayed at once within the whole chain, with what stands before it', async () => {
    const acme = await pam.tenant();
    const admin = pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { mfa: false }));
    const made = await pam
      .as(anOrgAdmin(acme.partnerId, acme.orgId))
      .post('/pam/rules')
      .send({ name: 'Block temp', verdict: 'auto_deny', matchPathGlob: 'C:/Temp/**', priority: 1 });
    const blocker = made.body.rule.id as string;
    for (const path of ['C:\\Temp\\a.exe', 'C:\\Apps\\a.exe', 'C:\\Apps\\b.exe']) await pam.request(acme, { path });
    const rule = { name: 'draft', verdict: 'auto_approve', matchPathGlob: '**/a.exe' };
    const { status, body } = await admin.post('/pam/rules/simulate').send({ rule, windowDays: 7 });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      summary: { totalScanned: 3, changed: 1, newlyAutoApproved: 1, devicesAffected: 1, truncated: false },
      perDay: [{ day: new Date().toISOString().slice(0, 10), scanned: 3, changed: 1 }],
      takenBy: [{ ruleId: blocker, policyId: null, name: 'Block temp', count: 1 }],
      sample: [
        {
          deviceHostname: 'DESK-1',
          subjectUsername: 'ann',
          targetExecutablePath: 'C:\\Apps\\a.exe',
          before: { outcome: 'pending' },
          after: { outcome: 'auto_approved', ref: 'draft' },
        },
      ],
    });
    const softened = { ...rule, name: 'Block temp', matchPathGlob: 'C:/Temp/**' };
    const replaced = await admin.post('/pam/rules/simulate').send({ ruleId: blocker, rule: softened });
    expect(replaced.body.summary.transitions).toEqual([{ from: 'denied', to: 'auto_approved', count: 1 }]);
    const faults = [
      [{ rule: { ...rule, expiresAt: '2099-01-31T00:00:00Z' } }, 'validation_failed', 'rule.expiresAt'],
      [
        { ruleId: blocker, rule: { ...rule, expiresAt: '2020-01-31T00:00:00Z' } },
        'validation_failed',
        'rule.expiresAt',
      ],
      [{ rule: { ...rule, orgId: newId() } }, 'validation_failed', 'rule.orgId'],
      [{ rule: { name: 'x', verdict: 'ignore' } }, 'pam_rule_invalid', 'rule'],
      [{ ruleId: newId(), rule }, 'rule_not_found', 'ruleId'],
    ] as const;
    for (const [draft, code, path] of faults) {
      const answer = await admin.post('/pam/rules/simulate').send(draft);
      expect(answer.body).toMatchObject({ code, issues: [{ path }] });
    }

    expect((await admin.get('/pam/rules')).body.rules).toHaveLength(1);
    expect(await pam.service.audits('pam.rule.update')).toEqual([]);
  });

  it('PAM-244 names the rule of the partner that stands before it', async () => {
    const { partnerId, orgId, ...acme } = await pam.tenant();
    const rule = { name: 'Known bad', verdict: 'auto_deny', matchPathGlob: 'C:/Temp/**' };
    const wide = { ...rule, ownerScope: 'partner', precedence: 'before' };
    const { body } = await pam.as(aPartnerAdmin(partnerId)).post('/pam/rules').send(wide).expect(201);
    await pam.request({ partnerId, orgId, ...acme }, { path: 'C:\\Temp\\a.exe' });
    const draft = { ...rule, name: 'draft', verdict: 'auto_approve' };
    const simulated = await pam.as(anOrgAdmin(partnerId, orgId)).post('/pam/rules/simulate').send({ rule: draft });
    expect(simulated.body.takenBy).toEqual([{ ruleId: body.rule.id, policyId: null, name: 'Known bad', count: 1 }]);
  });

  it('ATK-218 PAM-355 does not wait for a long replay of another organisation, which goes on where it stood', async () => {
    const [long, short] = [await pam.tenant(), await pam.tenant()];
    await pam.requests(long, 300);
    const now = performance.now.bind(performance);
    // A turn ends after fifty milliseconds. It is the last test, because the clock goes back afterwards.
    jest.spyOn(performance, 'now').mockImplementation(() => now() * 100);
    const ids: string[] = [];
    for (const { partnerId, orgId } of [long, short]) {
      const started = await pam.as(anOrgAdmin(partnerId, orgId)).post('/pam/replays').send({ changes: [] });
      ids.push(started.body.jobId);
    }
    const read = () =>
      pam.service.sql<{ done: number; state: string }>(
        'SELECT done, state FROM pam_replays WHERE id = ANY ($1::uuid[]) ORDER BY created_at',
        [ids],
      );
    const seen = [await read()];
    while (seen.at(-1)?.some(({ state }) => state !== 'completed')) seen.push(await read());
    jest.restoreAllMocks();
    const done = seen.map(([first]) => first?.done ?? 0);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(seen.some(([first, second]) => first?.state === 'running' && second?.state === 'completed')).toBe(true);
    expect(done.at(-1)).toBe(300);
  });
});

interface Job {
  readonly jobId: string;
  readonly createdAt: string;
  readonly state: JobState;
  readonly progress: { done: number; total: number };
  readonly summary: ReplaySummaryRecord;
}
