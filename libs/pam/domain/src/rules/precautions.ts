import type { DefaultVerdict, FlowType, FreezeLevel, FreezeMode } from '@gatehouse/contracts-pam';
import type { RuleEditor } from '../matching/accounts.ts';
import type { Rule, SoftwarePolicy } from './rule.ts';
import { type JustificationPolicy, NO_JUSTIFICATION } from './justification.ts';

/** Stops the automatic grants of a device, site, organisation or partner. */
export interface Freeze {
  readonly id: string;
  readonly level: FreezeLevel;
  readonly targetId: string;
  readonly mode: FreezeMode;
  /** Null for a freeze that lasts until it is lifted. */
  readonly expiresAt: Date | null;
}

/** How many people must approve a request that meets every condition of the level, and how long it waits for them. */
export interface ApprovalLevel {
  readonly name: string;
  readonly flowTypes?: readonly FlowType[] | null;
  readonly riskTierMin?: number | null;
  readonly unsigned?: boolean | null;
  readonly deviceGroupIds?: readonly string[] | null;
  readonly siteIds?: readonly string[] | null;
  readonly approvals: number;
  readonly pendingMinutes: number;
  /** Whether rules and policies may grant what fits a level that demands several approvals. */
  readonly automaticGrants?: boolean | null;
}

export interface ApprovalPolicy {
  /** The first level that a request meets applies. */
  readonly levels: readonly ApprovalLevel[];
  /** Applies to requests that meet no level; without minutes, the service's own setting counts. */
  readonly default: { readonly approvals: number; readonly pendingMinutes: number | null };
  readonly separation: {
    /** The editors of a rule neither profit from its grants nor vote on requests that it matched. */
    readonly ruleEditors: boolean;
    readonly aiRequester: boolean;
  };
}

/** A state of a part that ended lately, and who ended it by changing, disabling, reordering or deleting the part. */
export interface Former<T> {
  readonly state: T;
  readonly endedBy: RuleEditor;
}

/** Former states that tightened decisions; who ended one counts as an editor of what it would decide (PAM-304). */
export interface FormerStates {
  /** Rules that denied or asked. */
  readonly rules: readonly Former<Rule>[];
  /** Blocklists. */
  readonly policies: readonly Former<SoftwarePolicy>[];
  readonly approvalPolicies: readonly Former<ApprovalPolicy>[];
  readonly justifications: readonly Former<JustificationPolicy>[];
  /** Settings under which what no rule matched was denied. */
  readonly denials: readonly Former<DefaultVerdict>[];
  /** Signer groups, the newest states first. */
  readonly groups: readonly Former<FormerGroup>[];
}

export interface FormerGroup {
  readonly id: string;
  readonly signers: readonly string[];
}

export const NO_FORMER: FormerStates = {
  rules: [],
  policies: [],
  approvalPolicies: [],
  justifications: [],
  denials: [],
  groups: [],
};

/** The parts of a rulebook that withhold grants and raise the demand for approval. */
export interface OrganizationSafeguards {
  readonly freezes: readonly Freeze[];
  readonly approvalPolicy: ApprovalPolicy;
  /** The editors of each rule, those of its signer group included, and of each software policy. */
  readonly editors: ReadonlyMap<string, readonly RuleEditor[]>;
  readonly justification: JustificationPolicy;
  /** Empty where editors are not kept apart. */
  readonly former: FormerStates;
}

export const ONE_APPROVAL: ApprovalPolicy = {
  levels: [],
  default: { approvals: 1, pendingMinutes: null },
  separation: { ruleEditors: false, aiRequester: false },
};

export const NO_PRECAUTIONS: OrganizationSafeguards = {
  freezes: [],
  approvalPolicy: ONE_APPROVAL,
  editors: new Map(),
  justification: NO_JUSTIFICATION,
  former: NO_FORMER,
};

export const EDITOR_DAYS = 30;
const DAY_MS = 86_400_000;

/** Whether the person counts as an editor at an instant. */
export const countsAsEditor = ({ isAuthor, editedAt }: RuleEditor, at: Date): boolean =>
  isAuthor || (editedAt !== null && at.getTime() - editedAt.getTime() <= EDITOR_DAYS * DAY_MS);
