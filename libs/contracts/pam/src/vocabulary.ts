/** PAM-60. */
export const FLOW_TYPES = ['uac_intercept', 'tech_jit_admin', 'ai_tool_action'] as const;
export type FlowType = (typeof FLOW_TYPES)[number];

/** PAM-02. */
export const ELEVATION_STATUSES = [
  'pending',
  'approved',
  'auto_approved',
  'denied',
  'expired',
  'revoked',
  'actuating',
] as const;
export type ElevationStatus = (typeof ELEVATION_STATUSES)[number];

/** What a decision comes to at once. */
export const DECISION_OUTCOMES = ['pending', 'auto_approved', 'denied', 'ignored'] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

export const DECISION_SOURCES = ['software_policy', 'pam_rule', 'human', 'org_default'] as const;
export type DecisionSource = (typeof DECISION_SOURCES)[number];

/** PAM-90. */
export const REQUEST_FLAGS = ['unsigned', 'user_writable_path', 'first_seen', 'suspicious_text', 'high_tier'] as const;
export type RequestFlag = (typeof REQUEST_FLAGS)[number];

/** Who owns a rule or a signer group: one organisation, or the partner for all of its organisations. */
export const OWNER_SCOPES = ['organization', 'partner'] as const;
export type OwnerScope = (typeof OWNER_SCOPES)[number];

/**
 * PAM-260: a rule of the partner `before` only tightens a decision; one `after` is tried where no policy and no rule of
 * the organisation matched.
 */
export const RULE_PRECEDENCES = ['before', 'after'] as const;
export type RulePrecedence = (typeof RULE_PRECEDENCES)[number];

/** Where a rule that reaches an organisation comes from. */
export const RULE_ORIGINS = ['organization', 'partner_before', 'partner_after'] as const;
export type RuleOrigin = (typeof RULE_ORIGINS)[number];

/** Whether an organisation may leave a rule of its partner. */
export const OPT_OUTS = ['none', 'allowed'] as const;
export type OptOut = (typeof OPT_OUTS)[number];

/** PAM-62. */
export const VERDICTS = ['auto_approve', 'auto_deny', 'require_approval', 'ignore'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A shadow rule has no effect: what it would have done is recorded. */
export const RULE_MODES = ['live', 'shadow'] as const;
export type RuleMode = (typeof RULE_MODES)[number];

export const DEFAULT_VERDICTS = ['require_approval', 'auto_deny'] as const;
export type DefaultVerdict = (typeof DEFAULT_VERDICTS)[number];

/** The criteria of a rule, each with the member of the rule that holds what it asks for. */
export const CRITERION_FIELDS = {
  signer: 'matchSigner',
  signerGroup: 'matchSignerGroupId',
  hash: 'matchHash',
  pathGlob: 'matchPathGlob',
  parentImage: 'matchParentImage',
  commandLine: 'matchCommandLine',
  user: 'matchUser',
  adGroup: 'matchAdGroup',
  toolName: 'matchToolName',
  riskTier: 'matchRiskTier',
} as const;
export type CriterionKey = keyof typeof CRITERION_FIELDS;
export type CriterionField = (typeof CRITERION_FIELDS)[CriterionKey];
export const CRITERION_KEYS = Object.keys(CRITERION_FIELDS) as CriterionKey[];

/** What the linter finds in rules, the most severe first. */
export const FINDING_CODES = [
  'unreachable',
  'shadowed',
  'user_writable_path',
  'name_only_signer',
  'duplicate',
  'interpreter',
  'broad',
  'self_serving',
  'expiring',
  'unused',
  'expired',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/** How much a proposed rule matches, the narrowest first. */
export const PROPOSAL_LEVELS = ['strict', 'balanced', 'broad'] as const;
export type ProposalLevel = (typeof PROPOSAL_LEVELS)[number];

export const FINDING_SEVERITIES = ['error', 'warning', 'info'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

/** What becomes of rules in which the linter finds a severe fault. */
export const RISKY_RULES = ['warn', 'refuse'] as const;
export type RiskyRules = (typeof RISKY_RULES)[number];

/** PAM-210. */
export const REASON_MODES = ['optional', 'required'] as const;
export type ReasonMode = (typeof REASON_MODES)[number];
export const TICKET_MODES = ['off', 'optional', 'required'] as const;
export type TicketMode = (typeof TICKET_MODES)[number];

export const POLICY_MODES = ['allowlist', 'blocklist', 'audit'] as const;
export type PolicyMode = (typeof POLICY_MODES)[number];

export const HIERARCHY_LEVELS = ['partner', 'organization', 'site', 'group', 'device'] as const;
export type HierarchyLevel = (typeof HIERARCHY_LEVELS)[number];

export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired', 'reported'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** PAM-150. */
export const FREEZE_LEVELS = ['device', 'site', 'organization', 'partner'] as const;
export type FreezeLevel = (typeof FREEZE_LEVELS)[number];

/** PAM-151: `hold` leaves decisions to technicians; under `lockdown` they only deny. */
export const FREEZE_MODES = ['hold', 'lockdown'] as const;
export type FreezeMode = (typeof FREEZE_MODES)[number];

export const APPROVAL_MINUTES = { min: 1, max: 1440 };
export const DEFAULT_APPROVAL_MINUTES = 15;
export const MAX_REASON = 2000;
export const MAX_TICKET = 100;
/** The maximum length of a path or command line in an agent's report. */
export const MAX_PATH = 32_767;
/** The maximum length of a user's, signer's or publisher's name in an agent's report. */
export const MAX_REPORTED_NAME = 1024;
export const MAX_AD_GROUPS = 1000;
export const MAX_ESCALATION_STEPS = 5;
