import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { TransitionedRequest } from './transitioned-request.ts';

/**
 * Grace period on top of the consent prompt's own timeout before a silent device counts as failed (decisions, "out of
 * actuating").
 */
const RESULT_GRACE_SECONDS = 60;

type Target = Pick<TransitionedRequest, 'id' | 'partnerId' | 'orgId' | 'deviceId'>;

// The command expires with the active window, so it is never delivered afterwards.
const QUEUE_ACTUATION = `
  INSERT INTO device_commands (id, partner_id, org_id, device_id, elevation_request_id, type, payload, expires_at)
  SELECT $1, r.partner_id, r.org_id, r.device_id, r.id, 'actuate_elevation', $3,
    least(r.expires_at, now() + make_interval(secs => $4)) FROM elevation_requests r WHERE r.id = $2`;
const QUEUE_REVOCATION = `
  INSERT INTO device_commands (id, partner_id, org_id, device_id, elevation_request_id, type, payload)
    VALUES ($1, $2, $3, $4, $5, 'revoke_elevation', $6)`;
const CANCEL_ACTUATION = `
  UPDATE device_commands SET status = 'cancelled', finished_at = now() WHERE elevation_request_id = $1
    AND type = 'actuate_elevation' AND status IN ('queued', 'claimed')`;

const QUEUE_REVOCATIONS = `
  INSERT INTO device_commands (id, partner_id, org_id, device_id, elevation_request_id, type, payload)
  SELECT c.id, c.partner_id, c.org_id, c.device_id, c.request_id, 'revoke_elevation',
    jsonb_build_object('elevationRequestId', c.request_id)
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) AS c (id, partner_id, org_id, device_id,
      request_id)`;
const CANCEL_ACTUATIONS = `
  WITH cancelled AS (
    UPDATE device_commands SET status = 'cancelled', finished_at = now() WHERE elevation_request_id = ANY ($1::uuid[])
      AND type = 'actuate_elevation' AND status IN ('queued', 'claimed') RETURNING id)
  SELECT count(*) AS count FROM cancelled`;

@Injectable()
export class CommandQueueRepository {
  /** The payload holds only the request's id and the timeout; the device creates the credential itself. */
  async queueActuation(tx: Tx, { id: elevationRequestId }: Target, timeoutMs: number): Promise<string> {
    const id = newId();
    await tx.query(QUEUE_ACTUATION, [
      id,
      elevationRequestId,
      { elevationRequestId, timeoutMs },
      timeoutMs / 1000 + RESULT_GRACE_SECONDS,
    ]);
    return id;
  }

  async queueRevocation(tx: Tx, { id: elevationRequestId, partnerId, orgId, deviceId }: Target): Promise<void> {
    await tx.query(QUEUE_REVOCATION, [newId(), partnerId, orgId, deviceId, elevationRequestId, { elevationRequestId }]);
  }

  async cancelActuation(tx: Tx, requestId: string): Promise<void> {
    await tx.query(CANCEL_ACTUATION, [requestId]);
  }

  async queueRevocations(tx: Tx, targets: readonly Target[]): Promise<void> {
    await tx.query(QUEUE_REVOCATIONS, [
      targets.map(() => newId()),
      targets.map(({ partnerId }) => partnerId),
      targets.map(({ orgId }) => orgId),
      targets.map(({ deviceId }) => deviceId),
      targets.map(({ id }) => id),
    ]);
  }

  /** @returns how many actuations were withdrawn */
  async cancelActuations(tx: Tx, requestIds: readonly string[]): Promise<number> {
    return (await tx.one<{ count: number }>(CANCEL_ACTUATIONS, [requestIds]))?.count ?? 0;
  }
}
