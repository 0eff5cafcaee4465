import {
  DEFAULT_VERDICTS,
  HIERARCHY_LEVELS,
  OPT_OUTS,
  POLICY_MODES,
  REASON_MODES,
  RULE_MODES,
  RULE_PRECEDENCES,
  TICKET_MODES,
  VERDICTS,
} from '@gatehouse/contracts-pam';
import { tenantPolicy } from '@gatehouse/database';
import { oneOf } from './requests.ts';

/** Rules and signer groups without an organisation are the partner's. */
const RULES = `
  CREATE TABLE signer_groups (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    name text NOT NULL,
    description text,
    signers text[] NOT NULL DEFAULT '{}',
    version integer NOT NULL DEFAULT 1,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT signer_group_in_org UNIQUE (org_id, id),
    CONSTRAINT signer_group_size CHECK (cardinality(signers) <= 500)
  );
  CREATE INDEX signer_group_of_partner ON signer_groups (partner_id) WHERE org_id IS NULL;
  ${tenantPolicy({ table: 'signer_groups', orgColumn: 'org_id', sharedByPartner: true })}

  CREATE TABLE pam_rules (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    site_id uuid,
    name text NOT NULL,
    description text,
    mode text NOT NULL DEFAULT 'live' CONSTRAINT pam_rule_mode_known CHECK (mode IN (${oneOf(RULE_MODES)})),
    shadow_since timestamptz,
    verdict text NOT NULL CONSTRAINT pam_rule_verdict_known CHECK (verdict IN (${oneOf(VERDICTS)})),
    priority integer NOT NULL DEFAULT 100,
    precedence text
      CONSTRAINT pam_rule_precedence_known CHECK (precedence IN (${oneOf(RULE_PRECEDENCES)}))
      CONSTRAINT pam_rule_of_partner_has_precedence CHECK ((org_id IS NULL) <> (precedence IS NULL))
      CONSTRAINT pam_rule_of_partner_names_no_site CHECK (precedence IS NULL OR site_id IS NULL)
      CONSTRAINT pam_rule_before_tightens CHECK (precedence <> 'before'
        OR verdict IN ('auto_deny', 'require_approval')),
    opt_out text
      CONSTRAINT pam_rule_opt_out_known CHECK (opt_out IN (${oneOf(OPT_OUTS)}))
      CONSTRAINT pam_rule_of_partner_has_opt_out CHECK ((org_id IS NULL) <> (opt_out IS NULL)),
    enabled boolean NOT NULL DEFAULT true,
    match_signer text,
    match_signer_group_id uuid,
    -- The foreign key that keeps a rule's signer group with its organisation does not see the partner's.
    partner_group_id uuid
      GENERATED ALWAYS AS (CASE WHEN org_id IS NULL THEN match_signer_group_id END) STORED
      CONSTRAINT pam_rule_partner_group REFERENCES signer_groups (id),
    match_hash text CONSTRAINT pam_rule_hash_is_sha256 CHECK (match_hash ~ '^[0-9a-f]{64}$'),
    match_path_glob text,
    match_parent_image text,
    match_command_line text,
    match_user text,
    match_ad_group text,
    match_tool_name text,
    match_risk_tier smallint CONSTRAINT pam_rule_tier_known CHECK (match_risk_tier BETWEEN 0 AND 4),
    match_negate text[],
    time_window jsonb,
    approval_duration_minutes integer CONSTRAINT pam_rule_duration CHECK (approval_duration_minutes BETWEEN 1 AND 1440),
    expires_at timestamptz,
    -- Which notices of the expiry were sent.
    expiry_notices smallint NOT NULL DEFAULT 0,
    from_request_id uuid,
    version integer NOT NULL DEFAULT 1,
    created_by uuid,
    updated_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pam_rule_signer_group_in_org
      FOREIGN KEY (org_id, match_signer_group_id) REFERENCES signer_groups (org_id, id),
    CONSTRAINT pam_rule_one_signer CHECK (match_signer IS NULL OR match_signer_group_id IS NULL),
    CONSTRAINT pam_rule_identifies CHECK (num_nonnulls(match_signer, match_signer_group_id, match_hash, match_path_glob,
      match_parent_image, match_command_line, match_user, match_ad_group, match_tool_name, match_risk_tier) > 0)
  );
  CREATE INDEX pam_rule_order ON pam_rules (org_id, priority, created_at, id);
  CREATE INDEX pam_rule_of_partner ON pam_rules (partner_id, precedence, priority, created_at, id)
    WHERE org_id IS NULL;
  CREATE INDEX pam_rule_by_signer_group ON pam_rules (org_id, match_signer_group_id)
    WHERE match_signer_group_id IS NOT NULL;
  CREATE INDEX pam_rule_by_partner_group ON pam_rules (partner_group_id) WHERE org_id IS NULL;
  CREATE INDEX pam_rule_by_expiry ON pam_rules (expires_at) WHERE expires_at IS NOT NULL AND expiry_notices < 3;
  ${tenantPolicy({ table: 'pam_rules', orgColumn: 'org_id', sharedByPartner: true })}

  -- The organisations that have left a rule of their partner.
  CREATE TABLE pam_rule_opt_outs (
    id uuid PRIMARY KEY,
    rule_id uuid NOT NULL REFERENCES pam_rules (id) ON DELETE CASCADE,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    reason text NOT NULL,
    opted_out_by uuid NOT NULL,
    opted_out_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT pam_rule_opt_out_once UNIQUE (rule_id, org_id)
  );
  CREATE INDEX pam_rule_opt_out_by_org ON pam_rule_opt_outs (org_id);
  ${tenantPolicy({ table: 'pam_rule_opt_outs', orgColumn: 'org_id' })}`;

const SOFTWARE_POLICIES = `
  CREATE TABLE software_policies (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid,
    name text NOT NULL,
    mode text NOT NULL CONSTRAINT software_policy_mode_known CHECK (mode IN (${oneOf(POLICY_MODES)})),
    priority integer NOT NULL DEFAULT 100,
    enabled boolean NOT NULL DEFAULT true,
    target_level text NOT NULL
      CONSTRAINT software_policy_level_known CHECK (target_level IN (${oneOf(HIERARCHY_LEVELS)})),
    target_id uuid NOT NULL,
    rules jsonb NOT NULL DEFAULT '[]',
    version integer NOT NULL DEFAULT 1,
    created_by uuid,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT software_policy_org_below_partner CHECK ((target_level = 'partner') = (org_id IS NULL))
  );
  CREATE INDEX software_policy_by_org ON software_policies (partner_id, org_id);
  ${tenantPolicy({ table: 'software_policies', orgColumn: 'org_id', sharedByPartner: true })}`;

const SETTINGS = `
  CREATE TABLE pam_config (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    default_unmatched_verdict text NOT NULL DEFAULT 'require_approval'
      CONSTRAINT pam_config_verdict_known CHECK (default_unmatched_verdict IN (${oneOf(DEFAULT_VERDICTS)})),
    default_approval_minutes integer NOT NULL DEFAULT 15
      CONSTRAINT pam_config_minutes CHECK (default_approval_minutes BETWEEN 1 AND 1440),
    risky_rules text NOT NULL DEFAULT 'warn'
      CONSTRAINT pam_config_risky_rules CHECK (risky_rules IN ('warn', 'refuse')),
    -- Whether people may approve prompts of their own accounts.
    allow_self_approval boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  ${tenantPolicy({ table: 'pam_config', orgColumn: 'org_id' })}

  CREATE TABLE pam_approval_policies (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    levels jsonb NOT NULL DEFAULT '[]',
    default_approvals smallint NOT NULL
      CONSTRAINT pam_approval_policy_approvals CHECK (default_approvals BETWEEN 1 AND 5),
    default_pending_minutes integer
      CONSTRAINT pam_approval_policy_minutes CHECK (default_pending_minutes BETWEEN 1 AND 1440),
    rule_editors boolean NOT NULL DEFAULT false,
    ai_requester boolean NOT NULL DEFAULT false,
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  ${tenantPolicy({ table: 'pam_approval_policies', orgColumn: 'org_id' })}

  CREATE TABLE pam_justification_policies (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    reason_mode text NOT NULL CONSTRAINT pam_justification_reason_known CHECK (reason_mode IN (${oneOf(REASON_MODES)})),
    min_letters smallint NOT NULL CONSTRAINT pam_justification_letters CHECK (min_letters BETWEEN 0 AND 200),
    ticket_mode text NOT NULL CONSTRAINT pam_justification_ticket_known CHECK (ticket_mode IN (${oneOf(TICKET_MODES)})),
    ticket_masks text[] NOT NULL,
    ticket_hint text,
    hold_prompts boolean NOT NULL,
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  ${tenantPolicy({ table: 'pam_justification_policies', orgColumn: 'org_id' })}

  -- What happens while a request waits.
  CREATE TABLE pam_escalation_policies (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    steps jsonb NOT NULL,
    flow_types text[],
    tell_device boolean NOT NULL,
    tell_requester boolean NOT NULL,
    version integer NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  ${tenantPolicy({ table: 'pam_escalation_policies', orgColumn: 'org_id' })}`;

/** Every state of every part of a rulebook, and the instants at which versions began. */
const MEMORY = `
  -- The version grows with each change of any row of the organisation's rulebook.
  CREATE TABLE rulebook_versions (
    org_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    version bigint NOT NULL DEFAULT 1
  );
  CREATE INDEX rulebook_version_by_partner ON rulebook_versions (partner_id);
  ${tenantPolicy({ table: 'rulebook_versions', orgColumn: 'org_id' })}

  CREATE TABLE rulebook_instants (
    org_id uuid NOT NULL,
    version bigint NOT NULL,
    partner_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (org_id, version)
  );
  CREATE INDEX rulebook_instant_by_time ON rulebook_instants USING brin (at);
  ${tenantPolicy({ table: 'rulebook_instants', orgColumn: 'org_id' })}

  CREATE TABLE rulebook_parts (
    kind text NOT NULL,
    id uuid NOT NULL,
    partner_id uuid NOT NULL,
    org_id uuid,
    value jsonb NOT NULL,
    -- Who made this state and who ended it. Further editors are the author of an applied replay, and those of the
    -- source of a copy.
    edited_by uuid,
    also_by uuid[] NOT NULL DEFAULT '{}'::uuid[],
    ended_by uuid,
    ended_also_by uuid[] NOT NULL DEFAULT '{}'::uuid[],
    valid_from timestamptz NOT NULL,
    valid_to timestamptz NOT NULL DEFAULT 'infinity',
    PRIMARY KEY (kind, id, valid_from)
  );
  CREATE INDEX rulebook_part_by_org ON rulebook_parts (org_id, kind, valid_to);
  CREATE INDEX rulebook_part_of_partner ON rulebook_parts (partner_id, kind, valid_to) WHERE org_id IS NULL;
  CREATE INDEX rulebook_part_ended ON rulebook_parts (valid_to) WHERE valid_to < 'infinity';
  ${tenantPolicy({ table: 'rulebook_parts', orgColumn: 'org_id', sharedByPartner: true })}`;

/** The tables that decide an organisation's requests. `version` is incremented with each change of a row. */
export const RULEBOOK_SCHEMA = [RULES, SOFTWARE_POLICIES, SETTINGS, MEMORY];
