import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { MaintainRequestTables } from '../src/upkeep/maintain-request-tables.ts';
import { aCommand, aDevice, startIngest } from './pam-ingest.harness.ts';

const ingest = await startIngest();
afterAll(() => ingest.stop());

describe('the history of requests', () => {
  it('takes commands and the hits of shadow rules with it when its months are over', async () => {
    const device = await aDevice(ingest);
    const [recent, old] = [await aCommand(ingest, device), await aCommand(ingest, device)];
    const age = `UPDATE device_commands SET id = uuid_from_instant(now() - interval '26 months') WHERE id = $1`;
    await ingest.sql(age, [old]);
    await ingest.sql(
      `INSERT INTO pam_shadow_ignored (rule_id, day, partner_id, org_id, hits)
       SELECT $1, (now() - age * interval '1 month')::date, $2, $3, age FROM unnest('{0, 26}'::integer[]) AS age`,
      [newId(), device.partnerId, device.orgId],
    );
    await ingest.service.app.get(MaintainRequestTables).maintainTables();
    const left = (columns: string) => ingest.sql(`SELECT ${columns} WHERE org_id = $1`, [device.orgId]);
    expect(await left('id FROM device_commands')).toEqual([{ id: recent }]);
    expect(await left('hits::int FROM pam_shadow_ignored')).toEqual([{ hits: 0 }]);
  });
});
