import { type ElevationFigures, HIDDEN_STATUSES, type OrganizationFigures } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

/**
 * Reads the index of open requests, so the cost does not grow with the history. Requests of a hidden organisation are
 * in no count.
 */
const COUNT = `
  SELECT r.org_id, count(*) FILTER (WHERE r.status = 'pending' AND coalesce(r.pending_until > now(), true)) AS waiting,
         count(*) FILTER (WHERE r.status <> 'pending' AND r.expires_at > now()) AS active
    FROM org_ref o JOIN elevation_requests r ON r.org_id = o.org_id
   WHERE o.org_id = ANY ($1::uuid[]) AND NOT o.deleted AND o.status <> ALL ($2::text[])
     AND r.status IN ('pending', 'approved', 'auto_approved', 'actuating')
   GROUP BY r.org_id`;

@Injectable()
export class OrganizationFiguresRepository {
  /** Organisations without open requests are missing. */
  count(
    reader: Reader,
    orgIds: readonly string[],
  ): Promise<OrganizationFigures<ElevationFigures>['figures'][number][]> {
    return reader.query(COUNT, [orgIds, HIDDEN_STATUSES]);
  }
}
