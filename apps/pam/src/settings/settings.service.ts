import { changesOf, invalid, ProblemError, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import {
  ApprovalLevelsChanged,
  type ApprovalPolicyRecord,
  type EscalationPolicyRecord,
  type EscalationStepDto,
  type JustificationPolicyRecord,
  type PamConfigRecord,
  type TicketTermsDto,
  type UpdateApprovalPolicyDto,
  type UpdateEscalationPolicyDto,
  type UpdateJustificationPolicyDto,
  type UpdatePamConfigDto,
} from '@gatehouse/contracts-pam';
import { type Reader, type Tx, UnitOfWork } from '@gatehouse/database';
import { type JustificationPolicy, NO_JUSTIFICATION, presentOrNull } from '@gatehouse/pam-domain';
import { bumpRulebook, type RulebookPartKind } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { PamConfig } from '../pam.config.ts';
import { type Organization, OrganizationsRepository } from '../tenants/organizations.repository.ts';
import {
  approvalPolicies,
  type ApprovalPolicyRow,
  type ApprovalPolicyValues,
  configs,
  escalationPolicies,
  type EscalationPolicyValues,
  justificationPolicies,
} from './settings.repository.ts';

/** A record that each organisation has once: until it is set, defaults hold under version 0. */
interface Versioned {
  readonly orgId: string;
  readonly version: number;
}

/** Settings that an organisation has once. `R`: as stored; `V`: as a change stores them; `U`: as it sends them. */
interface Settings<R extends Versioned, V, U extends { orgId?: string }, View extends Versioned = R> {
  readonly type: 'pam.config' | 'pam.approval_policy' | 'pam.justification_policy' | 'pam.escalation_policy';
  /** The part of the rulebook that they are; null for settings that decide nothing: the version stays. */
  readonly part: RulebookPartKind | null;
  readonly rows: {
    find(reader: Reader, orgId: string): Promise<R>;
    save(tx: Tx, organization: Organization, values: V): Promise<R>;
  };
  readonly valuesOf: (update: U) => V;
  readonly viewOf: (row: R, config: PamConfig) => View;
  /** Refuses values that do not fit the organisation. */
  readonly check?: (tx: Tx, organization: Organization, values: V) => Promise<void>;
  readonly onSaved?: (tx: Tx, organization: Organization, row: R) => void;
}

const same = <T>(value: T): T => value;

/** What happens to requests that no rule decides. */
export const CONFIG: Settings<PamConfigRecord, UpdatePamConfigDto, UpdatePamConfigDto> = {
  type: 'pam.config',
  part: 'config',
  rows: configs,
  valuesOf: same,
  viewOf: same,
};

/** The name that stands for the default among the levels in a problem. */
const DEFAULT_LEVEL = 'default';

const given = <T>(list: readonly T[] | undefined): T[] | undefined => (list?.length ? [...new Set(list)] : undefined);

async function requireOwnPlaces(tx: Tx, organization: Organization, { levels }: ApprovalPolicyValues): Promise<void> {
  if (!(await approvalPolicies.hasSites(tx, organization, levels)))
    throw new ProblemError('site_not_in_org', 'A site of a level does not belong to the organisation.');
  if (!(await approvalPolicies.hasGroups(tx, organization, levels)))
    throw new ProblemError('target_not_found', 'A device group of a level does not belong to the organisation.');
}

/** One person more than a level asks for has to be there, because one of them may be the requester. */
async function requireApprovers(tx: Tx, organization: Organization, values: ApprovalPolicyValues): Promise<void> {
  const whole = { name: DEFAULT_LEVEL, approvals: values.defaultApprovals, siteIds: undefined };
  for (const { name: level, approvals, siteIds } of [...values.levels, whole]) {
    if (approvals === 1) continue;
    const eligible = await approvalPolicies.eligible(tx, organization, siteIds ?? []);
    if (eligible <= approvals)
      throw new ProblemError(
        'approvers_insufficient',
        `“${level}” asks for ${approvals} approvals, which takes ${approvals + 1} people; there are ${eligible}.`,
        { level, eligible },
      );
  }
}

/** How many people must approve (PAM-180). Requests that are pending keep the terms of their time. */
export const APPROVAL_POLICY: Settings<
  ApprovalPolicyRow,
  ApprovalPolicyValues,
  UpdateApprovalPolicyDto,
  ApprovalPolicyRecord
> = {
  type: 'pam.approval_policy',
  part: 'approval_policy',
  rows: approvalPolicies,
  /** Members that restrict nothing are absent. */
  valuesOf: ({ levels = [], default: standard, separation }) => ({
    levels: levels.map(({ flowTypes, deviceGroupIds, siteIds, ...level }) => ({
      ...level,
      name: level.name.trim(),
      flowTypes: given(flowTypes),
      deviceGroupIds: given(deviceGroupIds),
      siteIds: given(siteIds),
    })),
    defaultApprovals: standard?.approvals ?? 1,
    defaultPendingMinutes: standard?.pendingMinutes ?? null,
    ruleEditors: separation?.ruleEditors ?? false,
    aiRequester: separation?.aiRequester ?? false,
  }),
  viewOf: ({ orgId, levels, version, ...row }, { pamPendingTtlMinutes }) => ({
    orgId,
    levels,
    default: { approvals: row.defaultApprovals, pendingMinutes: row.defaultPendingMinutes ?? pamPendingTtlMinutes },
    separation: { ruleEditors: row.ruleEditors, aiRequester: row.aiRequester },
    version,
  }),
  check: async (tx, organization, values) => {
    await requireOwnPlaces(tx, organization, values);
    await requireApprovers(tx, organization, values);
  },
  onSaved: (tx, { orgId, partnerId }, { levels, version }) => {
    const groupIds = [...new Set(levels.flatMap((level) => level.deviceGroupIds ?? []))];
    tx.emit(ApprovalLevelsChanged, { orgId, partnerId, groupIds, version }, { aggregateId: orgId });
  },
};

function requireAscending(steps: readonly EscalationStepDto[]): void {
  const at = steps.findIndex(({ step, afterMinutes }, index) => {
    const before = steps[index - 1];
    return before !== undefined && (step <= before.step || afterMinutes <= before.afterMinutes);
  });
  if (at !== -1) throw invalid(`steps.${at}`, 'must come after the step before it, by its number and its time');
}

/** What happens while requests wait, and who hears how they end (PAM-220). */
export const ESCALATION_POLICY: Settings<EscalationPolicyRecord, EscalationPolicyValues, UpdateEscalationPolicyDto> = {
  type: 'pam.escalation_policy',
  part: null,
  rows: escalationPolicies,
  valuesOf: ({ steps = [], flowTypes, tellDevice = false, tellRequester = true }) => {
    requireAscending(steps);
    return {
      steps: steps.map(({ askAllApprovers = false, ...step }) => ({ ...step, askAllApprovers })),
      flowTypes: flowTypes?.length ? [...new Set(flowTypes)] : null,
      tellDevice,
      tellRequester,
    };
  },
  viewOf: same,
};

const { reason: NO_REASON, ticket: NO_TICKET, prompts: NO_PROMPTS } = NO_JUSTIFICATION;

const ticketTerms = ({ mode, masks, hint }: TicketTermsDto): JustificationPolicy['ticket'] => ({
  mode: mode ?? NO_TICKET.mode,
  masks: masks?.map((mask) => mask.trim()) ?? NO_TICKET.masks,
  hint: presentOrNull(hint),
});

/** What an organisation asks for as a justification (PAM-210). Pending requests keep their terms. */
export const JUSTIFICATION_POLICY: Settings<
  JustificationPolicyRecord,
  JustificationPolicy,
  UpdateJustificationPolicyDto
> = {
  type: 'pam.justification_policy',
  part: 'justification_policy',
  rows: justificationPolicies,
  valuesOf: ({ reason = {}, ticket = {}, prompts = {} }) => ({
    reason: { mode: reason.mode ?? NO_REASON.mode, minLetters: reason.minLetters ?? NO_REASON.minLetters },
    ticket: ticketTerms(ticket),
    prompts: { hold: prompts.hold ?? NO_PROMPTS.hold },
  }),
  viewOf: same,
};

/** Reads and replaces settings of an organisation. */
@Injectable()
export class SettingsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly config: PamConfig,
  ) {}

  get<R extends Versioned, V, U extends { orgId?: string }, View extends Versioned>(
    { rows, viewOf }: Settings<R, V, U, View>,
    caller: UserCaller,
    named: string | undefined,
  ): Promise<View> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return viewOf(await rows.find(reader, orgId), this.config);
    });
  }

  update<R extends Versioned, V, U extends { orgId?: string }, View extends Versioned>(
    { type, part, rows, valuesOf, viewOf, check, onSaved }: Settings<R, V, U, View>,
    caller: UserCaller,
    update: U,
  ): Promise<View> {
    const values = valuesOf(update);
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.lockSettings(tx, caller, update.orgId);
      const { orgId, partnerId } = organization;
      const before = await rows.find(tx, orgId);
      requireVersion(caller, before.version);
      await check?.(tx, organization, values);
      const row = await rows.save(tx, organization, values);
      if (part) await bumpRulebook(tx, organization, { kind: part, ids: [orgId], editedBy: caller.userId });
      onSaved?.(tx, organization, row);
      const view = viewOf(row, this.config);
      const after: Versioned = view;
      const { version: _, ...members } = after;
      const changes = changesOf<Versioned>(viewOf(before, this.config), after, Object.keys(members));
      const resource = { type, id: orgId };
      tx.audit({ action: `${type}.update`, resource, partnerId, orgId, details: { ...after, changes } });
      return view;
    });
  }
}
