import { afterAll, describe, expect, it } from '@jest/globals';
import { aDevice, aReport, aRule, report, startIngest, type TestDevice } from './pam-ingest.harness.ts';

const ingest = await startIngest();
afterAll(() => ingest.stop());

describe('reports of a hostile or a suspended organisation', () => {
  it('ATK-12c waits for a person when matching would take too much work, and keeps which rule took it', async () => {
    const device = await aDevice(ingest);
    await aRule(ingest, device, { match_signer: 'Acme Corp', verdict: 'auto_deny', priority: 900 });
    const ids: string[] = [];
    for (let n = 0; n < 22; n++)
      ids.push(
        await aRule(ingest, device, {
          name: `z${n}`,
          match_path_glob: `**z${'?'.repeat(900 + n)}**`,
          verdict: 'auto_deny',
        }),
      );
    const { status, body } = await send(device, HOSTILE_PATH);
    expect([status, body.status]).toEqual([201, 'pending']);
    const row = await rowOf(body.id);
    expect(row).toMatchObject({ status: 'pending', held: 'effort_exceeded' });
    expect(ids).toContain(row?.['costliest_id']);
    expect(await auditOf(body.id)).toMatchObject({
      held: 'effort_exceeded',
      costliest: { type: 'pam.rule', id: row?.['costliest_id'], name: expect.stringMatching(/^z/) },
    });
    expect((await send(device)).body.status).toBe('denied');
  });

  it('ATK-12d goes on to decide ordinary reports of an organisation that has used up its share, and those of others', async () => {
    const [loud, quiet] = [await aDevice(ingest), await aDevice(ingest)];
    for (let n = 0; n < 30; n++)
      await aRule(ingest, loud, { match_path_glob: `**a${'?'.repeat(n % 9)}*c?`, verdict: 'auto_deny' });
    for (const device of [loud, quiet]) await aRule(ingest, device, { match_signer: 'Acme Corp', priority: 900 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => send(loud, { target_executable_path: `C:\\${'a'.repeat(30_000)}` })),
    );
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['pending']));
    expect((await send(loud)).body.status).toBe('auto_approved');
    expect((await send(quiet)).body.status).toBe('auto_approved');
  });

  it('ATK-12g has reports wait for a person while a large rulebook changes faster than it may be read, and decides those of others', async () => {
    const [loud, quiet] = [await aDevice(ingest), await aDevice(ingest)];
    await ingest.sql(
      `INSERT INTO software_policies (id, partner_id, org_id, name, mode, target_level, target_id, rules)
       SELECT gen_random_uuid(), $1, $2, 'p', 'allowlist', 'device', gen_random_uuid(),
         (SELECT jsonb_agg(jsonb_build_object('name', 'x', 'pathGlob', 'C:/' || n || '/' || l || '/**'))
           FROM generate_series(1, 500) l)
         FROM generate_series(1, 300) n`,
      [loud.partnerId, loud.orgId],
    );
    for (const device of [loud, quiet]) await aRule(ingest, device, { match_signer: 'Acme Corp' });
    expect((await send(loud)).body.status).toBe('auto_approved');
    await aRule(ingest, loud, { match_signer: 'Globex' });
    const { body } = await send(loud);
    expect(await rowOf(body.id)).toMatchObject({ status: 'pending', held: 'effort_exceeded' });
    expect((await send(quiet)).body.status).toBe('auto_approved');
  });

  it('ATK-34f has what rules and policies would grant wait in a suspended organisation, and denies what they deny', async () => {
    const device = await aDevice(ingest, { orgStatus: 'suspended' });
    await aRule(ingest, device, { match_signer: 'Acme Corp' });
    await aRule(ingest, device, { match_signer: 'Globex', verdict: 'auto_deny' });
    const { body } = await send(device);
    expect(body.status).toBe('pending');
    expect(await rowOf(body.id)).toMatchObject({ status: 'pending', held: 'organization_suspended' });
    expect(await auditOf(body.id)).toMatchObject({
      status: 'pending',
      held: 'organization_suspended',
      decisionSource: null,
    });
    expect((await send(device, { target_executable_signer: 'Globex' })).body.status).toBe('denied');
  });

  const send = (device: TestDevice, body?: Record<string, unknown>) =>
    report(ingest.asAgent(device.token), device.id, aReport(body));
  const rowOf = async (id: string) =>
    (await ingest.sql('SELECT status, held, costliest_id FROM elevation_requests WHERE id = $1', [id]))[0];
  const auditOf = async (id: string) => (await ingest.audits()).find(({ resource }) => resource.id === id)?.details;
  const HOSTILE_PATH = { target_executable_path: `C:\\${'az'.repeat(15_000)}` };
});
