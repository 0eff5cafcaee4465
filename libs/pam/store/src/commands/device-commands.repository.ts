import type { ElevationFact } from '@gatehouse/contracts-pam';
import type { AgentUninstallRequest } from '@gatehouse/contracts-tenancy';
import type { Reader, Tx } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { IS_STANDING, isFrozen } from '../requests/present-sql.repository.ts';

// Locks the organisation's row, so that of a restore and a request handled concurrently one sees the other.
const LOCK_ORGANIZATION = 'SELECT FROM org_ref WHERE org_id = $1 FOR SHARE';
const QUEUE = `
  INSERT INTO device_commands (id, partner_id, org_id, device_id, type) SELECT $1, $2, $3, $4, 'uninstall'
   WHERE NOT EXISTS (SELECT FROM org_ref WHERE org_id = $3 AND status NOT IN ('archived', 'purging') AND version > $5)`;
/**
 * The uninstall command is kept for a device that was itself decommissioned, and for all if the organisation has been
 * archived again since.
 */
const WITHDRAW = `
  DELETE FROM device_commands c WHERE c.org_id = $1 AND c.type = 'uninstall' AND c.status = 'queued'
     AND NOT EXISTS (SELECT FROM device_ref d WHERE d.device_id = c.device_id AND d.status = 'decommissioned')
     AND NOT EXISTS (SELECT FROM org_ref WHERE org_id = $1 AND status IN ('archived', 'purging') AND version > $2)`;

export class UninstallCommandsRepository {
  /** Queues the command unless the organisation has been restored by a later change. */
  async queue(tx: Tx, id: string, { partnerId, orgId, deviceId, orgVersion }: AgentUninstallRequest): Promise<void> {
    await tx.query(LOCK_ORGANIZATION, [orgId]);
    await tx.query(QUEUE, [id, partnerId, orgId, deviceId, orgVersion ?? null]);
  }

  /** Deletes the organisation's commands that no agent has fetched. @param version of the restored organisation */
  async withdraw(tx: Tx, orgId: string, version: number): Promise<void> {
    await tx.query(WITHDRAW, [orgId, version]);
  }
}

export type OutcomeFact = Omit<ElevationFact, 'siteId' | 'actorId'>;

const FACT =
  'id AS elevation_request_id, org_id, partner_id, device_id, flow_type, status, decision_source, pam_rule_id AS rule_id, matched_policy_id AS policy_id';
const MARK_ACTUATED = `UPDATE elevation_requests SET actuated_at = now() WHERE id = $1 AND status = 'actuating'
  AND actuated_at IS NULL RETURNING ${FACT}`;
// After its window the request is left to the sweep, which expires it.
const GIVE_BACK = `UPDATE elevation_requests SET status = 'approved' WHERE id = $1 AND status = 'actuating'
  AND actuated_at IS NULL AND expires_at > now() RETURNING ${FACT}`;

/**
 * Applies the results of commands to elevation requests. Null when the request is no longer being actuated, because it
 * was revoked or has expired.
 */
export class ElevationOutcomesRepository {
  markActuated(tx: Tx, id: string): Promise<OutcomeFact | null> {
    return tx.one<OutcomeFact>(MARK_ACTUATED, [id]);
  }

  giveBack(tx: Tx, id: string): Promise<OutcomeFact | null> {
    return tx.one<OutcomeFact>(GIVE_BACK, [id]);
  }
}

/** `claimed`: delivered to the agent, and delivered again until it reports a result. */
export const COMMAND_STATUSES = ['queued', 'claimed', 'completed', 'failed', 'cancelled', 'expired'] as const;
export type CommandStatus = (typeof COMMAND_STATUSES)[number];

export const COMMAND_TYPES = ['actuate_elevation', 'revoke_elevation', 'elevation_outcome', 'uninstall'] as const;
export type CommandType = (typeof COMMAND_TYPES)[number];

/**
 * The NOTIFY channel for inserted commands, which wakes the waiting poll of the device's agent; the payload is the
 * device's id.
 */
export const COMMAND_CHANNEL = 'device_commands';

/** An instruction to a device, delivered until its agent reports a result. */
@Entity('device_commands')
export class DeviceCommandEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('uuid') deviceId!: string;
  @Column('uuid', { nullable: true }) elevationRequestId!: string | null;
  @Column('text') type!: CommandType;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) payload!: Readonly<Record<string, unknown>>;
  @Column('text', { default: () => "'queued'::text" }) status!: CommandStatus;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { nullable: true }) claimedAt!: Date | null;
  /** After this time the command is not delivered; null for commands that never expire. */
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) finishedAt!: Date | null;
  @Column('text', { nullable: true }) resultDetail!: string | null;
}

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
/** SQL condition: the grant that the command tells of stands at this moment (PAM-301). A freeze stops all actuation. */
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

const WITH_OPEN = `
  SELECT DISTINCT device_id FROM device_commands
   WHERE device_id = ANY ($1::uuid[]) AND status IN ('queued', 'claimed') AND ${IN_TIME}`;

export class DeviceCommandsRepository {
  /** Those of the devices whose agents have a command to take, or took one of which they have not told the result. */
  async withOpen(reader: Reader, deviceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await reader.query<{ deviceId: string }>(WITH_OPEN, [deviceIds]);
    return new Set(rows.map(({ deviceId }) => deviceId));
  }

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
