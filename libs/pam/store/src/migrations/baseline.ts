import { FREEZE_LEVELS, FREEZE_MODES } from '@gatehouse/contracts-pam';
import { Baseline, tenantPolicy } from '@gatehouse/database';
import { COMMAND_STATUSES } from '../commands/device-commands.repository.ts';
import { READ_MODELS } from './read-models.ts';
import { oneOf, REQUEST_SCHEMA } from './requests.ts';
import { RULE_USE_SCHEMA } from './rule-use.ts';
import { RULEBOOK_SCHEMA } from './rulebooks.ts';

const AGENTS = `
  CREATE TABLE device_commands (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    device_id uuid NOT NULL,
    elevation_request_id uuid,
    type text NOT NULL,
    payload jsonb NOT NULL DEFAULT '{}',
    status text NOT NULL DEFAULT 'queued'
      CONSTRAINT device_command_status_known CHECK (status IN (${oneOf(COMMAND_STATUSES)})),
    created_at timestamptz NOT NULL DEFAULT now(),
    claimed_at timestamptz,
    expires_at timestamptz,
    finished_at timestamptz,
    result_detail text
  );
  CREATE INDEX device_command_open ON device_commands (device_id, id) WHERE status IN ('queued', 'claimed');
  CREATE INDEX device_command_by_request ON device_commands (elevation_request_id)
    WHERE elevation_request_id IS NOT NULL;
  ${tenantPolicy({ table: 'device_commands', orgColumn: 'org_id' })}

  -- Wakes the agent that waits for commands; the channel carries the device and nothing else.
  CREATE FUNCTION device_command_notify() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_notify('device_commands', NEW.device_id::text);
    RETURN NULL;
  END $$;
  CREATE TRIGGER device_command_wakes AFTER INSERT ON device_commands
    FOR EACH ROW EXECUTE FUNCTION device_command_notify();

  -- The first answer to each report, so that a repeated one gets it again (decisions, "repeated report").
  CREATE TABLE report_receipts (
    device_id uuid NOT NULL,
    body_hash bytea NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    request_id uuid,
    status text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (device_id, body_hash)
  ) WITH (fillfactor = 100);
  CREATE INDEX report_receipt_received ON report_receipts USING brin (received_at);
  ${tenantPolicy({ table: 'report_receipts', orgColumn: 'org_id' })}`;

/**
 * Emergency freezes. `created_at` is read under the locks of the rulebooks, so every window that opened before the
 * freeze is older. The last columns are the work that follows a freeze, and the lease of the replica that does it.
 */
const FREEZES = `
  CREATE TABLE pam_freezes (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    level text NOT NULL CONSTRAINT pam_freeze_level_known CHECK (level IN (${oneOf(FREEZE_LEVELS)})),
    target_id uuid NOT NULL,
    mode text NOT NULL CONSTRAINT pam_freeze_mode_known CHECK (mode IN (${oneOf(FREEZE_MODES)})),
    reason text NOT NULL,
    created_by uuid NOT NULL,
    created_by_name text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at timestamptz,
    ended_at timestamptz,
    lifted_by uuid,
    lifted_by_name text,
    lift_reason text,
    revoked integer NOT NULL DEFAULT 0,
    withdrawn integer NOT NULL DEFAULT 0,
    done boolean NOT NULL,
    asked boolean NOT NULL,
    asked_up_to uuid,
    leased_until timestamptz,
    CONSTRAINT pam_freeze_org_below_partner CHECK ((level = 'partner') = (org_id IS NULL))
  );
  -- Freezes of one target stack: each stands by its own id (PAM-340).
  CREATE INDEX pam_freeze_of_target ON pam_freezes (target_id) WHERE ended_at IS NULL;
  CREATE INDEX pam_freeze_in_force ON pam_freezes (partner_id, org_id) WHERE ended_at IS NULL;
  CREATE INDEX pam_freeze_by_partner ON pam_freezes (partner_id, id);
  CREATE INDEX pam_freeze_work ON pam_freezes (created_at) WHERE NOT done OR (ended_at IS NOT NULL AND NOT asked);
  ${tenantPolicy({ table: 'pam_freezes', orgColumn: 'org_id', sharedByPartner: true })}`;

export class Baseline1800000004530 extends Baseline {
  readonly name = 'Baseline1800000004530';
  readonly replaces = 'VotesOfProviders1800000004521';
  protected readonly schema = [READ_MODELS, ...RULEBOOK_SCHEMA, ...REQUEST_SCHEMA, AGENTS, FREEZES, ...RULE_USE_SCHEMA];
}
