import type { Tx } from '@gatehouse/database';
import { TRANSITIONS } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import type { TransitionedRequest } from '../requests/transitioned-request.ts';
import { IS_ACTIVE, withOutcome } from '../requests/request-sql.repository.ts';
import { SWEEP_BATCH } from './expiry.repository.ts';

/**
 * SQL condition: the device has moved to another organisation. `device_ref` must be newer than the device version of
 * the request, because pam-ingest may learn of a move before `device_ref` does. Organisations in a merge do not count:
 * there the device and its requests move one after the other.
 */
const hasMoved = (row: string, requestedUnder: string): string => `
  d.device_id = ${row}.device_id AND d.org_id <> ${row}.org_id AND d.version > coalesce(${requestedUnder}, 0)
  AND NOT EXISTS (SELECT FROM org_ref o WHERE o.org_id IN (${row}.org_id, d.org_id)
    AND (o.status = 'merging' OR o.merged_into_id IS NOT NULL))`;

const REVOKE = withOutcome(`
  WITH left_behind AS MATERIALIZED (
    SELECT r.id FROM elevation_requests r JOIN device_ref d ON ${hasMoved('r', 'r.device_version')} WHERE ${IS_ACTIVE}
      LIMIT ${SWEEP_BATCH} FOR UPDATE OF r SKIP LOCKED)
  UPDATE elevation_requests r SET status = '${TRANSITIONS.revoke.to}', revoke_reason = $1, ended_at = now()
    FROM left_behind l WHERE r.id = l.id`);

const VERSION_OF_REQUEST = '(SELECT r.device_version FROM elevation_requests r WHERE r.id = c.elevation_request_id)';
/**
 * Reassigns revocations and outcomes to the device's new organisation: an agent gets the commands of its own
 * organisation only.
 */
const FORWARD = `
  UPDATE device_commands c SET org_id = d.org_id, partner_id = d.partner_id FROM device_ref d
   WHERE ${hasMoved('c', VERSION_OF_REQUEST)} AND c.status IN ('queued', 'claimed')
     AND c.type IN ('revoke_elevation', 'elevation_outcome')`;

/** Grants on devices that have left the organisation which gave them. */
@Injectable()
export class MovedDevicesRepository {
  revoke(tx: Tx, reason: string): Promise<TransitionedRequest[]> {
    return tx.query<TransitionedRequest>(REVOKE, [reason]);
  }

  /** Reassigns open revocations and outcomes to the organisation in which the device is now. */
  async forwardRevocations(tx: Tx): Promise<void> {
    await tx.query(FORWARD);
  }
}
