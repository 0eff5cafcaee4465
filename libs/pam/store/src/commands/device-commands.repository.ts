import type { Tx } from '@gatehouse/database';
import { IS_STANDING, isFrozen } from '../requests/present-sql.repository.ts';
import type { CommandStatus, CommandType } from './device-command.ts';

export interface ClaimedCommand {
  readonly id: string;
  readonly type: CommandType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

/** A command that was delivered just now and has no result yet. */
interface NotDue {
  readonly id: string;
  readonly type: null;
}

export interface Claim {
  /** Oldest first. */
  readonly commands: ClaimedCommand[];
  /** Whether the device has commands without a result, delivered by this claim or by one shortly before. */
  readonly hasOpen: boolean;
}

export interface CommandRecord {
  readonly id: string;
  readonly type: CommandType;
  readonly status: CommandStatus;
  readonly elevationRequestId: string | null;
}

const BATCH = 50;
/** A claimed command without a result is delivered again after this time, because the answer may have been lost. */
const REDELIVERY_SECONDS = 10;

const IN_TIME = '(expires_at IS NULL OR expires_at > now())';

/** SQL condition on the command `c`: it makes the device grant something. */
const GRANTS = `(c.type = 'actuate_elevation' OR c.type = 'elevation_outcome' AND c.payload->>'status' = 'approved')`;
/** SQL condition: the grant of which the command tells stands at this moment (PAM-301). A freeze stops all actuation. */
const STANDS = `EXISTS (SELECT FROM elevation_requests r WHERE r.id = c.elevation_request_id AND ${IS_STANDING}
  AND NOT (c.type = 'actuate_elevation' AND ${isFrozen('r')}))`;

const CLAIM = `
  WITH open AS (
    SELECT id, status = 'queued' OR claimed_at < now() - interval '${REDELIVERY_SECONDS} seconds' AS due
      FROM device_commands c
     WHERE device_id = $1 AND status IN ('queued', 'claimed') AND ${IN_TIME} AND (NOT ${GRANTS} OR ${STANDS})
     ORDER BY due DESC, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE device_commands c SET status = 'claimed', claimed_at = now() FROM open WHERE c.id = open.id AND open.due
      RETURNING c.id, c.type, c.payload, c.created_at
  )
  SELECT open.id, type, payload, created_at FROM open LEFT JOIN claimed USING (id) ORDER BY id`;

const FINISH = `
  UPDATE device_commands SET status = $3, finished_at = now(), result_detail = $4
   WHERE id = $1 AND device_id = $2 AND status IN ('queued', 'claimed') AND ${IN_TIME}
     RETURNING id, type, status, elevation_request_id`;
// A command may be expired before the sweep has stored it.
const FIND = `
  SELECT id, type, CASE WHEN status IN ('queued', 'claimed') AND NOT ${IN_TIME} THEN 'expired' ELSE status
    END AS status, elevation_request_id
    FROM device_commands WHERE id = $1 AND device_id = $2`;

export class DeviceCommandsRepository {
  /** Claims the device's open commands that are due; each is delivered again until its result arrives. */
  async claim(tx: Tx, deviceId: string): Promise<Claim> {
    const open = await tx.query<ClaimedCommand | NotDue>(CLAIM, [deviceId]);
    return { commands: open.filter((command) => command.type !== null), hasOpen: open.length > 0 };
  }

  /** Stores a command's result. Null when the command is no longer open or belongs to another device. */
  finish(
    tx: Tx,
    command: { id: string; deviceId: string },
    outcome: { status: 'completed' | 'failed'; detail: string | null },
  ): Promise<CommandRecord | null> {
    return tx.one<CommandRecord>(FINISH, [command.id, command.deviceId, outcome.status, outcome.detail]);
  }

  find(tx: Tx, { id, deviceId }: { id: string; deviceId: string }): Promise<CommandRecord | null> {
    return tx.one<CommandRecord>(FIND, [id, deviceId]);
  }
}
