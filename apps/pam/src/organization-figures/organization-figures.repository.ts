import type { ElevationFigures, OrganizationFigures } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

/** Reads the index of open requests, so the cost does not grow with the history. */
const COUNT = `
  SELECT org_id, count(*) FILTER (WHERE status = 'pending' AND coalesce(pending_until > now(), true)) AS waiting,
         count(*) FILTER (WHERE status <> 'pending' AND expires_at > now()) AS active
    FROM elevation_requests
   WHERE status IN ('pending', 'approved', 'auto_approved', 'actuating') AND org_id = ANY ($1::uuid[])
   GROUP BY org_id`;

@Injectable()
export class OrganizationFiguresRepository {
  /** Organisations without open requests are missing. */
  count(
    reader: Reader,
    orgIds: readonly string[],
  ): Promise<OrganizationFigures<ElevationFigures>['figures'][number][]> {
    return reader.query(COUNT, [orgIds]);
  }
}
