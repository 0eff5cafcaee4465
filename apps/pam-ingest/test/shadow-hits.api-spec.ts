import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { IgnoredHitCounts } from '../src/report-prompt/ignored-hits.ts';
import { aDevice, aRule, startIngest, type TestDevice } from './pam-ingest.harness.ts';

const ingest = await startIngest();
afterAll(() => ingest.stop());

describe('prompts that a shadow rule matches', () => {
  it('PAM-248 are counted when they are ignored, and kept with the request otherwise', async () => {
    const device = await aDevice(ingest);
    const shadow = await aRule(ingest, device, { mode: 'shadow', match_user: 'ann', priority: 1 });
    await aRule(ingest, device, { verdict: 'ignore', match_path_glob: 'C:/Noise/**', priority: 2 });
    for (const name of ['a', 'b']) expect((await report(device, `C:\\Noise\\${name}.exe`)).status).toBe('ignored');
    const asked = await report(device, 'C:\\Apps\\a.exe');
    expect(asked.status).toBe('pending');
    expect(await keptWith(asked.id)).toEqual([{ ruleId: shadow, outcome: 'auto_approved', held: null }]);
    const counts = ingest.service.app.get(IgnoredHitCounts);
    jest.spyOn(ingest.service.app.get(UnitOfWork), 'autocommit').mockRejectedValueOnce(new Error('no connection'));
    await expect(counts.store()).rejects.toThrow('no connection');
    await counts.store();
    expect(await ingest.sql('SELECT org_id, hits::int FROM pam_shadow_ignored WHERE rule_id = $1', [shadow])).toEqual([
      { org_id: device.orgId, hits: 2 },
    ]);
    expect(await ingest.metrics()).toMatch(/^gatehouse_pam_shadow_hits_total\{outcome="auto_approved".*\} 3$/m);
  });

  it('SHADOW-02: are told as held where the path is suspicious, and never granted', async () => {
    const device = await aDevice(ingest);
    const shadow = await aRule(ingest, device, { mode: 'shadow', match_user: 'ann' });
    const { id, status } = await report(device, `C:\\Apps\\..\\${newId()}.exe`);
    expect(status).toBe('pending');
    expect(await keptWith(id)).toEqual([{ ruleId: shadow, outcome: 'pending', held: 'suspicious_observation' }]);
  });

  it('keep five of many hits', async () => {
    const device = await aDevice(ingest);
    for (let at = 0; at < 7; at++) await aRule(ingest, device, { mode: 'shadow', match_user: 'ann', priority: at });
    expect(await keptWith((await report(device, 'C:\\a.exe')).id)).toHaveLength(5);
  });

  const report = async ({ id, token }: TestDevice, path: string) =>
    (
      await ingest
        .asAgent(token)
        .post(`/agents/${id}/elevation-requests`)
        .send({ subject_username: 'ann', target_executable_path: path, observed_at: new Date().toISOString() })
    ).body as { id: string; status: string };
  const keptWith = async (id: string): Promise<unknown> =>
    (await ingest.sql<{ shadow: unknown }>('SELECT shadow FROM elevation_requests WHERE id = $1', [id]))[0]?.shadow;
});
