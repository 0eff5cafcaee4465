import type {
  ApprovalLevelDto,
  CriterionKey,
  DefaultVerdict,
  EscalationStepRecord,
  FlowType,
  HierarchyLevel,
  OptOut,
  PolicyMode,
  ReasonMode,
  RiskyRules,
  RuleMode,
  RulePrecedence,
  SoftwareRuleDto,
  TicketMode,
  TimeWindowDto,
  Verdict,
} from '@gatehouse/contracts-pam';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The version of an organisation's rulebook, incremented with each change of a table below. */
@Entity('rulebook_versions')
export class RulebookVersionEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('bigint', { default: () => '1' }) version!: number;
}

/** A named list of signers that rules refer to. */
@Entity('signer_groups')
export class SignerGroupEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null for a group of the partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { array: true, default: () => "'{}'::text[]" }) signers!: string[];
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('uuid', { nullable: true }) createdBy!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

const PARTNER_GROUP_ID = 'CASE WHEN (org_id IS NULL) THEN match_signer_group_id ELSE NULL::uuid END';

/** A rule of one organisation, or of its partner; a criterion that is null does not restrict it. */
@Entity('pam_rules')
export class PamRuleEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null for a rule of the partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  /** Null for every site of the organisation. */
  @Column('uuid', { nullable: true }) siteId!: string | null;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') verdict!: Verdict;
  /** Rules with lower numbers are tried first. */
  @Column('integer', { default: () => '100' }) priority!: number;
  @Column('boolean', { default: () => 'true' }) enabled!: boolean;
  @Column('text', { nullable: true }) matchSigner!: string | null;
  @Column('uuid', { nullable: true }) matchSignerGroupId!: string | null;
  /** SHA-256 in lower-case hexadecimal digits. */
  @Column('text', { nullable: true }) matchHash!: string | null;
  @Column('text', { nullable: true }) matchPathGlob!: string | null;
  @Column('text', { nullable: true }) matchParentImage!: string | null;
  @Column('text', { nullable: true }) matchCommandLine!: string | null;
  @Column('text', { nullable: true }) matchUser!: string | null;
  @Column('text', { nullable: true }) matchAdGroup!: string | null;
  @Column('text', { nullable: true }) matchToolName!: string | null;
  @Column('smallint', { nullable: true }) matchRiskTier!: number | null;
  /** The criteria that must not match. */
  @Column('text', { array: true, nullable: true }) matchNegate!: CriterionKey[] | null;
  @Column('jsonb', { nullable: true }) timeWindow!: TimeWindowDto | null;
  @Column('integer', { nullable: true }) approvalDurationMinutes!: number | null;
  @Column('text', { default: () => "'live'::text" }) mode!: RuleMode;
  /** Null for a rule of an organisation, like `optOut`. */
  @Column('text', { nullable: true }) precedence!: RulePrecedence | null;
  @Column('text', { nullable: true }) optOut!: OptOut | null;
  /** The signer group of a rule of the partner, for its foreign key. */
  @Column({ type: 'uuid', nullable: true, generatedType: 'STORED', asExpression: PARTNER_GROUP_ID })
  partnerGroupId!: string | null;
  /** When the rule last became a shadow rule; null for a live one. */
  @Column('timestamptz', { nullable: true }) shadowSince!: Date | null;
  @Column('timestamptz', { nullable: true }) expiresAt!: Date | null;
  /** The request that the rule was made from. */
  @Column('uuid', { nullable: true }) fromRequestId!: string | null;
  /** How many notices of the expiry were sent: seven days before, one day before, and at the end. */
  @Column('smallint', { default: () => '0' }) expiryNotices!: number;
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('uuid', { nullable: true }) createdBy!: string | null;
  /** Null until the first change. */
  @Column('uuid', { nullable: true }) updatedBy!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

/** An organisation's decision to leave a rule of its partner. */
@Entity('pam_rule_opt_outs')
export class RuleOptOutEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') ruleId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('text') reason!: string;
  @Column('uuid') optedOutBy!: string;
  @Column('timestamptz', { default: () => 'now()' }) optedOutAt!: Date;
}

/** What decides an organisation's requests that no policy and no rule matches; absent means the defaults. */
@Entity('pam_config')
export class PamConfigEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('text', { default: () => "'require_approval'::text" }) defaultUnmatchedVerdict!: DefaultVerdict;
  @Column('integer', { default: () => '15' }) defaultApprovalMinutes!: number;
  /** What becomes of rules with severe findings. */
  @Column('text', { default: () => "'warn'::text" }) riskyRules!: RiskyRules;
  /** Whether people may approve prompts of their own accounts. */
  @Column('boolean', { default: () => 'false' }) allowSelfApproval!: boolean;
  /** What the console offers as the reason of a decision. */
  @Column('text', { array: true, default: () => "'{}'::text[]" }) approveReasons!: string[];
  @Column('text', { array: true, default: () => "'{}'::text[]" }) denyReasons!: string[];
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

/** A list of allowed, blocked or audited software for one place of the hierarchy. */
@Entity('software_policies')
export class SoftwarePolicyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null for every organisation of the partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('text') name!: string;
  @Column('text') mode!: PolicyMode;
  @Column('integer', { default: () => '100' }) priority!: number;
  @Column('boolean', { default: () => 'true' }) enabled!: boolean;
  @Column('text') targetLevel!: HierarchyLevel;
  @Column('uuid') targetId!: string;
  @Column('jsonb', { default: () => "'[]'::jsonb" }) rules!: SoftwareRuleDto[];
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('uuid', { nullable: true }) createdBy!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

/** How many approvals an organisation's requests demand, and who must not vote; absent means one approval. */
@Entity('pam_approval_policies')
export class ApprovalPolicyEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('jsonb', { default: () => "'[]'::jsonb" }) levels!: ApprovalLevelDto[];
  @Column('smallint') defaultApprovals!: number;
  /** Null for that of the installation. */
  @Column('integer', { nullable: true }) defaultPendingMinutes!: number | null;
  /** Whether the editors of the rule that matched are kept from voting. */
  @Column('boolean', { default: () => 'false' }) ruleEditors!: boolean;
  /** Whether the user of an AI agent is kept from voting about its actions. */
  @Column('boolean', { default: () => 'false' }) aiRequester!: boolean;
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

/** What happens while a request of the organisation waits, and who hears how requests end. */
@Entity('pam_escalation_policies')
export class EscalationPolicyEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  /** Ascending by their numbers and times. */
  @Column('jsonb') steps!: EscalationStepRecord[];
  /** Null for requests of every kind. */
  @Column('text', { array: true, nullable: true }) flowTypes!: FlowType[] | null;
  @Column('boolean') tellDevice!: boolean;
  @Column('boolean') tellRequester!: boolean;
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

/** What an organisation asks for as the justification of an elevation; absent means nothing. */
@Entity('pam_justification_policies')
export class JustificationPolicyEntity {
  @PrimaryColumn('uuid') orgId!: string;
  @Column('uuid') partnerId!: string;
  @Column('text') reasonMode!: ReasonMode;
  @Column('smallint') minLetters!: number;
  @Column('text') ticketMode!: TicketMode;
  @Column('text', { array: true }) ticketMasks!: string[];
  @Column('text', { nullable: true }) ticketHint!: string | null;
  /** Whether prompts without a justification wait for a person. */
  @Column('boolean') holdPrompts!: boolean;
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
