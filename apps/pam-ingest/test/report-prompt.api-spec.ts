import { ElevationAutoApproved, ElevationDenied, ElevationRequested } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { stopwatch } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aDevice, aReport, aRule, report, startIngest, type TestDevice } from './pam-ingest.harness.ts';

const ingest = await startIngest();
afterAll(() => ingest.stop());

describe('POST /agents/:id/elevation-requests', () => {
  let device: TestDevice;
  beforeEach(async () => {
    device = await aDevice(ingest);
  });

  it('records a prompt that nothing decides as pending, with one event and one audit entry', async () => {
    const answer = await send(aReport({ ad_groups: ['it'], reason: 'printer' }));
    expect([answer.status, answer.body]).toEqual([201, { id: expect.any(String), status: 'pending' }]);
    expect(await rows()).toMatchObject([
      {
        id: answer.body.id,
        org_id: device.orgId,
        partner_id: device.partnerId,
        flow_type: 'uac_intercept',
        status: 'pending',
        subject_username: 'CORP\\ann',
        device_hostname: 'pc-1',
        target_executable_path: 'C:\\Tools\\setup.exe',
        target_executable_hash: 'a'.repeat(64),
        pid: 4242,
        ad_groups: ['it'],
        reason: 'printer',
        decision_source: null,
        expires_at: null,
        rulebook_version: 1,
      },
    ]);
    const [{ pending_until, requested_at }] = (await rows()) as [{ pending_until: Date; requested_at: Date }];
    expect(pending_until.getTime() - requested_at.getTime()).toBe(15 * 60_000);
    expect((await eventsOf(ElevationRequested)).map(({ data, actor }) => [data, actor])).toEqual([
      [
        {
          elevationRequestId: answer.body.id,
          orgId: device.orgId,
          partnerId: device.partnerId,
          siteId: device.siteId,
          deviceId: device.id,
          flowType: 'uac_intercept',
          status: 'pending',
          decisionSource: null,
          ruleId: null,
          policyId: null,
          actorId: device.id,
        },
        { type: 'agent', id: device.id, name: 'pc-1' },
      ],
    ]);
    expect(await auditsOf()).toMatchObject([
      {
        action: 'pam.elevation_request.submit',
        resource: { id: answer.body.id },
        partnerId: device.partnerId,
        siteId: device.siteId,
        actor: { type: 'agent' },
        details: { status: 'pending' },
        ip: ingest.ip,
      },
    ]);
    expect(await eventsOf(ElevationAutoApproved)).toEqual([]);
  });

  it('approves by a rule until the end of its window', async () => {
    const ruleId = await aRule(ingest, device, {
      name: 'acme',
      match_signer: 'acme corp',
      approval_duration_minutes: 90,
    });
    const { body } = await send();
    expect(body.status).toBe('auto_approved');
    const [row] = (await rows()) as [Record<string, unknown> & { expires_at: Date; requested_at: Date }];
    expect(row).toMatchObject({
      status: 'auto_approved',
      decision_source: 'pam_rule',
      pam_rule_id: ruleId,
      pam_rule_name: 'acme',
      pending_until: null,
      decided_at: expect.any(Date),
    });
    expect(row.expires_at.getTime() - row.requested_at.getTime()).toBe(90 * 60_000);
    expect((await eventsOf(ElevationAutoApproved)).map(({ data }) => data.ruleId)).toEqual([ruleId]);
    expect(await eventsOf(ElevationRequested)).toHaveLength(1);
  });

  it('denies by the organisation default', async () => {
    await ingest.sql(
      `INSERT INTO pam_config (org_id, partner_id, default_unmatched_verdict) VALUES ($1, $2, 'auto_deny')`,
      [device.orgId, device.partnerId],
    );
    expect((await send()).body.status).toBe('denied');
    expect(await rows()).toMatchObject([{ status: 'denied', decision_source: 'org_default' }]);
    expect(await eventsOf(ElevationDenied)).toHaveLength(1);
  });

  it('PAM-41 answers 200 ignored without a row or an event, and the same again', async () => {
    await aRule(ingest, device, { verdict: 'ignore', match_signer: 'Acme Corp' });
    const body = aReport();
    for (const answer of [await send(body), await send(body)])
      expect([answer.status, answer.body]).toEqual([200, { id: null, status: 'ignored' }]);
    expect(await rows()).toEqual([]);
    expect(await eventsOf(ElevationRequested)).toEqual([]);
    expect((await auditsOf()).map(({ action }) => action)).toEqual(['pam.elevation_request.ignore']);
    const counted = await ingest.sql<{ count: string }>(
      `SELECT sum(count) AS count FROM (SELECT org_id, count FROM ignored_counts UNION ALL SELECT org_id, count
        FROM ignored_count_deltas) AS c WHERE org_id = $1`,
      [device.orgId],
    );
    expect(Number(counted[0]?.count)).toBe(1);
  });

  it('decides by a partner policy of the closest target', async () => {
    await ingest.sql(
      `INSERT INTO software_policies (id, partner_id, org_id, name, mode, target_level, target_id, rules)
        VALUES ($1, $2, NULL, 'banned', 'blocklist', 'partner', $2, '[{"name":"x","pathGlob":"**/setup.exe"}]')`,
      [newId(), device.partnerId],
    );
    expect((await send()).body.status).toBe('denied');
    expect(await rows()).toMatchObject([{ decision_source: 'software_policy', matched_policy_name: 'banned' }]);
  });

  it('leaves a report to a person whose rules would keep all others waiting', async () => {
    await ingest.sql(
      `INSERT INTO pam_config (org_id, partner_id, default_unmatched_verdict) VALUES ($1, $2, 'auto_deny')`,
      [device.orgId, device.partnerId],
    );
    await ingest.sql(
      `INSERT INTO software_policies (id, partner_id, org_id, name, mode, target_level, target_id, rules)
       SELECT gen_random_uuid(), $1, $2, 'p', 'blocklist', 'organization', $2,
         jsonb_agg(jsonb_build_object('name', 'x', 'pathGlob', '**' || repeat('?', 1000) || n || '**'))
         FROM generate_series(1, 1000) n`,
      [device.partnerId, device.orgId],
    );
    const spent = stopwatch();
    expect((await send(aReport({ target_executable_path: 'a'.repeat(30_000) }))).body.status).toBe('pending');
    expect(spent()).toBeLessThan(1000);
    expect(await auditsOf()).toMatchObject([{ details: { status: 'pending', held: 'effort_exceeded' } }]);
    expect((await send()).body.status).toBe('denied');
  });

  it('names no more than twenty policies in audit mode in an audit entry, which stays small enough to be sent', async () => {
    await ingest.sql(
      `INSERT INTO software_policies (id, partner_id, org_id, name, mode, target_level, target_id, rules)
       SELECT gen_random_uuid(), $1, $2, repeat(chr(1), 255), 'audit', 'organization', $2,
         '[{"name":"x","pathGlob":"**"}]' FROM generate_series(1, 665)`,
      [device.partnerId, device.orgId],
    );
    expect((await send()).body.status).toBe('pending');
    const [entry] = await auditsOf();
    expect(entry).toMatchObject({ details: { auditedPoliciesOmitted: 645 } });
    expect(entry?.details?.['auditedPolicies']).toHaveLength(20);
    expect(JSON.stringify(entry).length).toBeLessThan(64 * 1024);
  });

  it('PAM-23 gives a repeated report its first answer: one row, one event, one audit entry', async () => {
    const body = aReport();
    const first = await send(body);
    const again = await Promise.all([send(body), send(Object.fromEntries(Object.entries(body).reverse())), send(body)]);
    for (const answer of again) expect([answer.status, answer.body]).toEqual([201, first.body]);
    expect(await rows()).toHaveLength(1);
    expect(await eventsOf(ElevationRequested)).toHaveLength(1);
    expect(await auditsOf()).toHaveLength(1);
  });

  it('records one request of twenty identical reports at once', async () => {
    const body = aReport();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(body)));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  it('takes an identical report as a new one after 15 minutes', async () => {
    const body = aReport();
    const first = await send(body);
    await ingest.sql(`UPDATE report_receipts SET received_at = now() - interval '16 minutes' WHERE device_id = $1`, [
      device.id,
    ]);
    const second = await send(body);
    expect([second.status, second.body.id === first.body.id]).toEqual([201, false]);
    expect(await rows()).toHaveLength(2);
  });

  it('decides by a changed rule from the next report on', async () => {
    expect((await send()).body.status).toBe('pending');
    await aRule(ingest, device, { verdict: 'auto_deny', match_path_glob: 'C:/Tools/**' });
    expect((await send()).body.status).toBe('denied');
  });

  it('PAM-39 leaves it to a person when the rules cannot be read, whatever the default says', async () => {
    await ingest.sql(
      `INSERT INTO pam_config (org_id, partner_id, default_unmatched_verdict) VALUES ($1, $2, 'auto_deny')`,
      [device.orgId, device.partnerId],
    );
    await ingest.sql('ALTER TABLE signer_groups RENAME TO signer_groups_away');
    try {
      expect((await send()).body.status).toBe('pending');
    } finally {
      await ingest.sql('ALTER TABLE signer_groups_away RENAME TO signer_groups');
    }
    expect(await auditsOf()).toMatchObject([{ details: { status: 'pending', held: 'evaluator_error' } }]);
    expect((await send()).body.status).toBe('denied');
  });

  it.each([
    ['', false],
    [' ', false],
    [null, false],
    [undefined, false],
    ['Globex', true],
  ])('PAM-33 takes the signer %j as %s to be there', async (signer, there) => {
    await aRule(ingest, device, { verdict: 'auto_deny', match_signer: 'Acme Corp', match_negate: ['signer'] });
    expect((await send(aReport({ target_executable_signer: signer }))).body.status).toBe(there ? 'denied' : 'pending');
  });

  it('stores reports of many tenants that arrive together, each in its own organisation', async () => {
    const devices = await Promise.all(Array.from({ length: 10 }, () => aDevice(ingest)));
    const answers = await Promise.all(
      devices.flatMap((each) => [1, 2, 3].map(() => report(ingest.asAgent(each.token), each.id))),
    );
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    const stored = await ingest.sql<{ device_id: string; org_id: string; count: number }>(
      'SELECT device_id, org_id, count(*)::int FROM elevation_requests WHERE device_id = ANY ($1) GROUP BY 1, 2',
      [devices.map(({ id }) => id)],
    );
    expect(new Set(stored.map((row) => `${row.device_id} ${row.org_id} ${row.count}`))).toEqual(
      new Set(devices.map(({ id, orgId }) => `${id} ${orgId} 3`)),
    );
  });

  const rows = (): Promise<Record<string, unknown>[]> =>
    ingest.sql('SELECT * FROM elevation_requests WHERE device_id = $1 ORDER BY id', [device.id]);
  const send = (body?: object) => report(ingest.asAgent(device.token), device.id, body);
  const eventsOf = async (event: typeof ElevationRequested) =>
    (await ingest.emitted(event)).filter(({ data }) => data.deviceId === device.id);
  const auditsOf = async () => (await ingest.audits()).filter(({ orgId }) => orgId === device.orgId);
});
