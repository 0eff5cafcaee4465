import type { UserCaller } from '@gatehouse/contracts-core';
import { type Reader, scoped } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

export interface OwnFigures {
  readonly orgId: string;
  readonly partnerId: string;
  readonly devices: number;
  readonly devicesOnline: number;
  readonly sites: number;
}

/** The exact device counts of an organisation, by status (see the migration of device lists). */
const DEVICES = `
  SELECT coalesce(sum(c.count) FILTER (WHERE c.status <> 'decommissioned'), 0)::bigint AS devices,
         coalesce(sum(c.count) FILTER (WHERE c.status = 'online'), 0)::bigint AS devices_online
    FROM (SELECT * FROM device_counts UNION ALL SELECT * FROM device_count_deltas) AS c
   WHERE c.partner_id = o.partner_id AND c.org_id = o.id`;

@Injectable()
export class OrganizationSummaryRepository {
  /** Counts what this service holds of the organisations in the caller's reach, in the order of the ids. */
  count(reader: Reader, caller: UserCaller, ids: readonly string[]): Promise<OwnFigures[]> {
    const conditions = scoped(caller.scope, { partner: 'o.partner_id', org: 'o.id' });
    const asked = conditions.bind(ids);
    const { where, parameters } = conditions.raw(`o.id = ANY (${asked}::uuid[]) AND o.deleted_at IS NULL`);
    return reader.query<OwnFigures>(
      `SELECT o.id AS org_id, o.partner_id, d.devices, d.devices_online,
              (SELECT count(*) FROM sites s WHERE s.org_id = o.id) AS sites
         FROM organizations o CROSS JOIN LATERAL (${DEVICES}) AS d
         ${where} ORDER BY array_position(${asked}::uuid[], o.id)`,
      parameters,
    );
  }
}
