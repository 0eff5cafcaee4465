import { asService } from '@gatehouse/contracts-core';
import { poolOf, type Reader, UnitOfWork } from '@gatehouse/database';
import { afterAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { aCommand, aDevice, aReport, aRule, type Ingest, report, startIngest } from './pam-ingest.harness.ts';

const ingest = await startIngest({ env: { DATABASE_POOLED: 'true', DATABASE_DIRECT_URL_PAM: '' } });
afterAll(() => ingest.stop());

describe('behind a pooler in transaction mode', () => {
  it('reports, repetitions, single statements and polls work, and leave nothing on a session', async () => {
    const device = await aDevice(ingest);
    await aRule(ingest, device, { match_signer: 'Acme Corp' });
    const agent = ingest.asAgent(device.token);
    const body = aReport();
    const [first, again] = [await report(agent, device.id, body), await report(agent, device.id, body)];
    expect([first.status, first.body.status]).toEqual([201, 'auto_approved']);
    expect(again.body).toEqual(first.body);

    const commandId = await aCommand(ingest, device);
    expect((await agent.get(`/agents/${device.id}/commands`)).body.commands).toMatchObject([{ id: commandId }]);

    const work = ingest.service.app.get(UnitOfWork);
    const seen = (statement: Reader): Promise<object[]> =>
      statement.query(`SELECT current_setting('statement_timeout') AS limit FROM device_ref WHERE device_id = $1`, [
        device.id,
      ]);
    expect(await work.autocommit(asService('pam-ingest'), seen)).toEqual([{ limit: '10s' }]);
    expect(await work.backgroundRead(asService('pam-ingest'), seen)).toEqual([{ limit: '1min' }]);

    const left = await Promise.all(connectionsOf(ingest).map((client) => client.query(LEFT_BEHIND)));
    expect(left.length).toBeGreaterThanOrEqual(3);
    expect(left.flatMap(({ rows }) => rows as object[])).toEqual(left.map(() => NOTHING));
  });

  it('does not start behind a pooler of which it was not told: the settings of its sessions are lost', async () => {
    const lost = new URL(ingest.database?.appUrl ?? '');
    lost.searchParams.set('options', '-c statement_timeout=0');
    await expect(startIngest({ env: { DATABASE_POOLED: 'false', DATABASE_URL_PAM: lost.href } })).rejects.toThrow(
      'DATABASE_POOLED=true',
    );
  });
});

const LEFT_BEHIND = `
  SELECT nullif(current_setting('app.system', true), '') AS system,
    nullif(current_setting('app.partner_id', true), '') AS partner, current_setting('statement_timeout') AS statement,
    current_setting('lock_timeout') AS lock, current_setting('plan_cache_mode') AS plan, (SELECT count(*)::int
    FROM pg_listening_channels()) AS channels`;
const NOTHING = { system: null, partner: null, statement: '0', lock: '0', plan: 'auto', channels: 0 };

/** Every connection of the pools, also those that are in use for longer. */
function connectionsOf({ service }: Ingest): pg.Client[] {
  const { store } = service.platform;
  const sources = store ? [store.requests, store.background, store.system] : [];
  return sources.flatMap((source) => (poolOf(source) as object as { _clients: pg.Client[] })._clients);
}
