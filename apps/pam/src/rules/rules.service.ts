import {
  changeDetails,
  changesOf,
  invalid,
  pageNamedBy,
  ProblemError,
  requireUpdates,
  type UserCaller,
} from '@gatehouse/contracts-core';
import {
  type ChangeRuleDto,
  type ListedRuleRecord,
  type NewRuleDto,
  type ReorderRulesDto,
  RuleOptOutEnded,
  type RuleOrigin,
  type RuleResponse,
  type RulesQuery,
  type RulesResponse,
  type RuleUsageQuery,
  type RuleUsageResponse,
} from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { NO_CRITERIA, reordered, type ToolCatalog } from '@gatehouse/pam-domain';
import {
  bumpRulebook,
  bumpRulebooks,
  lockRulebook,
  requireRulebookCapacity,
  type RulebookOwner,
} from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { paginationOf } from '../pages.repository.ts';
import { ExplainedRequestsRepository } from '../requests/explained-requests.repository.ts';
import { requireReach } from '../requests/request-problems.ts';
import { TOOL_CATALOG } from '../settings/tools.service.ts';
import { isEmptyAtOnce, isWhereNamed, type NamedThing, requireSite } from '../tenants/require-place.ts';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { isAbove, Owners } from '../tenants/owners.ts';
import { type EffectiveRow, PartnerRulesRepository } from './partner-rules.repository.ts';
import { RuleLinter } from './rule-linter.ts';
import {
  type EndedOptOut,
  RULE_FIELDS,
  type RuleRow,
  RulesRepository,
  RuleUsageRepository,
  type RuleValues,
} from './rules.repository.ts';
import { listedRule, ruleView, shownTo } from './rule.view.ts';
import { type DraftRule, foreignGroup, NEW_RULE, precedenceOf, requirePartnerFor, vettedRule } from './vetted-rule.ts';
import { auditSubject, WritableRules } from './writable-rules.ts';

const originOf = ({ precedence }: Pick<EffectiveRow, 'precedence'>): RuleOrigin =>
  precedence === null ? 'organization' : `partner_${precedence}`;

const detailsOf = ({
  verdict,
  priority,
  enabled,
  precedence,
  optOut,
  fromRequestId,
}: RuleRow): Readonly<Record<string, unknown>> => ({
  verdict,
  priority,
  enabled,
  ...(precedence && { precedence, optOut }),
  ...(fromRequestId && { fromRequestId }),
});

const DECIDING = [...Object.keys(NO_CRITERIA), 'verdict', 'precedence', 'optOut'] as (keyof RuleValues)[];

/** A stored value and one of a request compare alike, whatever classes they have. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Whether what organisations have left is no longer the rule that decides now (PAM-353). */
const isAnotherRule = (before: RuleRow, after: RuleValues): boolean =>
  before.orgId === null && DECIDING.some((member) => !isDeepStrictEqual(plain(before[member]), plain(after[member])));

/** Each organisation hears that the rule applies to it again, in its own log and stream. */
function tellOfEnded(tx: Tx, { userId: actorId }: UserCaller, rule: RuleRow, ended: readonly EndedOptOut[]): void {
  const details = { changes: { optedOut: { before: true, after: false } } };
  for (const { orgId, partnerId } of ended) {
    tx.audit({ ...auditSubject(rule), orgId, partnerId, action: 'pam.rule.opt_out_end', details });
    tx.emit(RuleOptOutEnded, { ruleId: rule.id, orgId, partnerId, actorId }, { aggregateId: rule.id });
  }
}

@Injectable()
export class RulesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly owners: Owners,
    private readonly rules: RulesRepository,
    private readonly partnerRules: PartnerRulesRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
    private readonly linter: RuleLinter,
    private readonly requests: ExplainedRequestsRepository,
    private readonly writableRules: WritableRules,
  ) {}

  /** Lists the rules of an organisation, of a partner (`scope`), or all that reach an organisation (`effective`). */
  async list(caller: UserCaller, query: RulesQuery): Promise<RulesResponse> {
    if (query.expiresBefore !== undefined) return this.expiring(caller, query, query.expiresBefore);
    if (isEmptyAtOnce(caller, query)) return { success: true, rules: [], ...paginationOf(pageNamedBy(query), 0) };
    if (!query.effective) return this.ofOwner(caller, query);
    if (query.scope === 'partner' || query.partnerId !== undefined)
      throw invalid('effective', 'is about the rules of an organisation');
    return this.effective(caller, query);
  }

  private ofOwner(caller: UserCaller, { scope, orgId, partnerId, ...paging }: RulesQuery): Promise<RulesResponse> {
    const page = pageNamedBy(paging);
    const named = { ...(scope && { ownerScope: scope }), ...(orgId && { orgId }), ...(partnerId && { partnerId }) };
    return this.work.read(caller, async (reader) => {
      const owner = await this.owners.requireReadable(reader, caller, named);
      const { rows, total } =
        owner.orgId === null
          ? await this.partnerRules.list(reader, owner.partnerId, page)
          : await this.rules.list(reader, caller.scope, owner.orgId, page);
      return { success: true, rules: rows.map((row) => listedRule(row, this.catalog)), ...paginationOf(page, total) };
    });
  }

  /** The rules of the partner and of all its organisations in reach that end soon (PAM-198). */
  private expiring(caller: UserCaller, query: RulesQuery, before: string): Promise<RulesResponse> {
    if (query.effective || query.scope || query.partnerId)
      throw invalid('expiresBefore', 'goes with an organisation only');
    const page = pageNamedBy(query);
    return this.work.read(caller, async (reader) => {
      if (query.orgId) await this.organizations.resolve(reader, caller, query.orgId);
      const { rows, total } = await this.rules.expiring(reader, caller.scope, { before, orgId: query.orgId }, page);
      const rules = rows.map((row) => shownTo(caller, listedRule(row, this.catalog)));
      return { success: true, rules, ...paginationOf(page, total) };
    });
  }

  private effective(caller: UserCaller, { orgId, ...paging }: RulesQuery): Promise<RulesResponse> {
    const page = pageNamedBy(paging);
    return this.work.read(caller, async (reader) => {
      const organization = await this.organizations.resolve(reader, caller, orgId);
      const { rows, total } = await this.partnerRules.effective(reader, caller.scope, organization, page);
      const rules = rows.map((row) => this.effectiveView(caller, row));
      return { success: true, rules, ...paginationOf(page, total) };
    });
  }

  private effectiveView(caller: UserCaller, { optedOut, ...row }: EffectiveRow): ListedRuleRecord {
    return { ...shownTo(caller, listedRule(row, this.catalog)), origin: originOf(row), optedOut };
  }

  get(caller: UserCaller, named: NamedThing): Promise<ListedRuleRecord> {
    return this.work.read(caller, async (reader) => {
      const rule = await this.rules.findOfAny(reader, caller.scope, named.id);
      if (!rule || !isWhereNamed(named, rule)) throw new ProblemError('rule_not_found', 'There is no such rule.');
      const listed = shownTo(caller, listedRule(rule, this.catalog));
      if (rule.orgId !== null || isAbove(caller, rule)) return listed;
      return { ...listed, optOuts: (await this.partnerRules.optOutsOf(reader, rule.id)).length };
    });
  }

  create(caller: UserCaller, draft: NewRuleDto): Promise<RuleResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const owner = await this.owners.requireWritable(tx, caller, draft);
      const values = this.vetted(caller, owner, draft);
      await this.owners.requireOwnSite(tx, owner, values.siteId);
      await this.rules.requirePartnerGroup(tx, owner, values.matchSignerGroupId);
      const { fromRequestId } = draft;
      if (fromRequestId !== undefined) await this.requireOwnRequest(tx, caller, owner, fromRequestId);
      const rule = await this.rules
        .insert(tx, owner, { id: newId(), createdBy: caller.userId, fromRequestId, values })
        .catch(foreignGroup);
      await bumpRulebook(tx, owner, { kind: 'rule', ids: [rule.id], editedBy: caller.userId });
      await requireRulebookCapacity(tx, 'pam_rules', owner);
      const findings = await this.linter.findingsAbout(tx, rule);
      const details = { ...detailsOf(rule), changes: changesOf(null, rule, RULE_FIELDS) };
      tx.audit({ ...auditSubject(rule), action: 'pam.rule.create', details });
      return { success: true, rule: ruleView(rule), findings };
    });
  }

  private vetted(caller: UserCaller, owner: RulebookOwner, draft: NewRuleDto): RuleValues {
    const { orgId: _, partnerId: __, ownerScope: ___, fromRequestId: ____, ...named } = draft;
    const values = { ...NEW_RULE, ...requireUpdates(named), ...precedenceOf(owner, draft) } as DraftRule;
    return vettedRule(caller, values, this.catalog);
  }

  private async requireOwnRequest(tx: Tx, caller: UserCaller, { orgId }: RulebookOwner, id: string): Promise<void> {
    const request = requireReach(caller.scope, await this.requests.find(tx, caller.scope, id));
    if (request.orgId !== orgId) throw invalid('fromRequestId', 'must be a request of the organisation of the rule');
  }

  update(caller: UserCaller, named: NamedThing, patch: ChangeRuleDto): Promise<RuleResponse> {
    const changes = requireUpdates(patch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.writableRules.lock(tx, caller, named);
      requirePartnerFor(known, changes);
      const values = vettedRule(caller, { ...known, ...changes } as DraftRule, this.catalog);
      // The site is checked only when it changes, so that a rule whose site was deleted can still be disabled.
      if (values.siteId !== known.siteId) await this.owners.requireOwnSite(tx, known, values.siteId);
      await this.rules.requirePartnerGroup(tx, known, values.matchSignerGroupId);
      const rule = await this.rules.update(tx, named.id, { values, updatedBy: caller.userId }).catch(foreignGroup);
      const ended = isAnotherRule(known, values) ? await this.rules.endOptOuts(tx, rule.id) : [];
      const editedBy = caller.userId;
      await bumpRulebooks(
        tx,
        [rule],
        [
          { kind: 'rule', ids: [rule.id], editedBy },
          { kind: 'rule_opt_out', ids: ended.map(({ id }) => id), editedBy },
        ],
      );
      const findings = rule.enabled ? await this.linter.findingsAbout(tx, rule) : [];
      tx.audit({
        ...auditSubject(rule),
        action: 'pam.rule.update',
        details: {
          ...changeDetails(known, rule, changes),
          ...(ended.length > 0 && { endedOptOuts: ended.length }),
        },
      });
      tellOfEnded(tx, caller, rule, ended);
      return {
        success: true,
        rule: ruleView(rule),
        findings,
        ...(rule.orgId === null && { endedOptOuts: ended.length }),
      };
    });
  }

  delete(caller: UserCaller, named: NamedThing): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const rule = await this.writableRules.lock(tx, caller, named);
      const optOuts = await this.partnerRules.optOutsOf(tx, rule.id);
      await this.rules.delete(tx, rule.id);
      const editedBy = caller.userId;
      const ended = [
        { kind: 'rule', ids: [rule.id], editedBy },
        { kind: 'rule_opt_out', ids: optOuts, editedBy },
      ] as const;
      await bumpRulebooks(tx, [rule], ended);
      const changes = changesOf(rule, null, RULE_FIELDS);
      tx.audit({ ...auditSubject(rule), action: 'pam.rule.delete', details: { changes } });
    });
  }
}

/** The most ids that the audit record names. */
const MAX_NAMED = 1000;

/** The priorities of those of the rules that the audit record names. */
function prioritiesOf(
  rules: readonly { readonly id: string; readonly priority: number }[],
  ids: readonly string[],
): Readonly<Record<string, number>> {
  const named = new Set(ids.slice(0, MAX_NAMED));
  return Object.fromEntries(rules.filter(({ id }) => named.has(id)).map(({ id, priority }) => [id, priority]));
}

@Injectable()
export class RuleOrderService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly rules: RulesRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  reorderRules(caller: UserCaller, { orgId, ruleIds }: ReorderRulesDto): Promise<RulesResponse> {
    if (new Set(ruleIds).size < ruleIds.length) throw invalid('ruleIds', 'must name each rule once');
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, orgId);
      requireSite(caller, null);
      await this.rules.lockAllOf(tx, organization.orgId);
      // The order that is read is the one that is changed.
      await lockRulebook(tx, organization);
      const { rows } = await this.rules.list(tx, caller.scope, organization.orgId, null);
      const known = new Set(rows.map(({ id }) => id));
      if (!ruleIds.every((id) => known.has(id))) throw new ProblemError('rule_not_found', 'There is no such rule.');
      const changed = reordered(rows, ruleIds);
      await this.rules.place(tx, changed, caller.userId);
      const ids = changed.map(({ id }) => id);
      await bumpRulebook(tx, organization, { kind: 'rule', ids, editedBy: caller.userId });
      tx.audit({
        action: 'pam.rule.reorder',
        resource: { type: 'pam.ruleset', id: organization.orgId },
        orgId: organization.orgId,
        partnerId: organization.partnerId,
        details: {
          changed: changed.length,
          ruleIds: ids.slice(0, MAX_NAMED),
          changes: { priorities: { before: prioritiesOf(rows, ids), after: prioritiesOf(changed, ids) } },
        },
      });
      const after = await this.rules.list(tx, caller.scope, organization.orgId, null);
      return { success: true, rules: after.rows.map((row) => listedRule(row, this.catalog)) };
    });
  }
}

@Injectable()
export class RuleUsageService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly ruleUsage: RuleUsageRepository,
  ) {}

  async get(caller: UserCaller, { orgId: named, windowDays }: RuleUsageQuery): Promise<RuleUsageResponse> {
    if (isEmptyAtOnce(caller, { orgId: named })) return { success: true, windowDays, usage: [] };
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      const rows = await this.ruleUsage.usage(reader, caller.scope, orgId, windowDays);
      const usage = rows.map((row) => ({ ...row, lastMatchedAt: row.lastMatchedAt?.toISOString() ?? null }));
      return { success: true, windowDays, usage };
    });
  }
}
