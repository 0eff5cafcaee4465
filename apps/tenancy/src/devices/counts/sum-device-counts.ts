import { asService, type UserCaller } from '@gatehouse/contracts-core';
import type { DeviceQuery } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { listedBelow } from '../../scope/organizations-in-reach.repository.ts';

const EVERY_MS = 15_000;

const SUM_UP = `
  WITH taken AS (DELETE FROM device_count_deltas RETURNING *),
       summed AS (SELECT partner_id, org_id, site_id, status, sum(count) AS count FROM taken GROUP BY 1, 2, 3, 4)
  INSERT INTO device_counts AS c (partner_id, org_id, site_id, status, count)
  SELECT partner_id, org_id, site_id, status, count FROM summed WHERE count <> 0 ORDER BY 1, 2, 3, 4
  ON CONFLICT (partner_id, org_id, site_id, status) DO UPDATE SET count = c.count + EXCLUDED.count`;
const FORGET_EMPTY = 'DELETE FROM device_counts WHERE count = 0';

const TOTAL =
  'SELECT coalesce(sum(count), 0)::bigint AS total FROM (SELECT * FROM device_counts UNION ALL SELECT * FROM device_count_deltas) AS counts';

/** Keeps exact device totals, so that lists need not count rows. */
@Injectable()
export class SumDeviceCounts {
  constructor(private readonly work: UnitOfWork) {}

  /** The number of devices in a list; undefined if the list filters by a column that is not counted. */
  totalOf(
    caller: UserCaller,
    { orgId, siteId, status, groupId, search }: DeviceQuery,
  ): ((reader: Reader) => Promise<number>) | undefined {
    if (groupId !== undefined || search) return undefined;
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'site_id' })
      .add('org_id = ?', orgId)
      .add('site_id = ?', siteId)
      .add('status = ?', status)
      .raw(listedBelow(caller, 'org_id'));
    return async (reader) =>
      (await reader.queryAfresh<{ total: number }>(`${TOTAL} ${where}`, parameters))[0]?.total ?? 0;
  }

  /** Adds the recorded differences to the counts. Several replicas may run this concurrently. */
  @Every(EVERY_MS, 'device-counts')
  async execute(): Promise<void> {
    await this.work.background(asService('tenancy'), async (tx) => {
      await tx.query(SUM_UP);
      await tx.query(FORGET_EMPTY);
    });
  }
}
