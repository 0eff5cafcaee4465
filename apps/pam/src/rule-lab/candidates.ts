import { ProblemError, seesSite, type UserCaller } from '@gatehouse/contracts-core';
import type { DefaultVerdict } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import {
  candidateOf,
  type CandidateRule,
  ChangeFault,
  compileRulebook,
  type CurrentRules,
  differenceOf,
  type Rulebook,
  type RulebookSource,
  type RuleChange,
  type RuleEditor,
  type RuleSetDifference,
  type ToolCatalog,
} from '@gatehouse/pam-domain';
import { type OrgOfPartner, RulebookRepository } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import { RulesRepository, type RuleValues, ruleValuesOf } from '../rules/rules.repository.ts';
import { SignerGroupsRepository } from '../rules/signer-groups.repository.ts';
import { NEW_RULE, shapedRule } from '../rules/vetted-rule.ts';
import { TOOL_CATALOG } from '../settings/tools.service.ts';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { requireSite } from '../tenants/require-place.ts';
import { checkedAt, problemOf, type StoredChange } from './rule-changes.ts';

interface CandidateChanges {
  readonly standing: Candidate['standing'];
  readonly difference: RuleSetDifference<RuleValues>;
  readonly plan: Plan;
}

/** The sites whose rules the changes touch; null is the whole organisation. */
function sitesOf({ standing, difference, plan }: CandidateChanges): ReadonlySet<string | null> {
  const before = new Map(standing.map(({ id, values }) => [id, values.siteId]));
  const { added, updated, removed } = difference;
  return new Set([
    ...added.map(({ values }) => values.siteId),
    ...updated.flatMap(({ rule }) => [rule.values.siteId, before.get(rule.id) ?? null]),
    ...removed.map((id) => before.get(id) ?? null),
    ...(plan.defaultUnmatchedVerdict === null ? [] : [null]),
  ]);
}

/**
 * Refuses changes of rules outside the caller's sites, and outside the sites of the replay. A replay that a caller
 * confined to sites started has counted the requests of these sites only, so that its numbers say nothing about
 * changes elsewhere, even when an administrator of the whole organisation applies it.
 * @param replayed the sites of the replay; null for all
 */
export function requireReach(caller: UserCaller, changes: CandidateChanges, replayed: readonly string[] | null): void {
  const sites = sitesOf(changes);
  for (const siteId of sites) requireSite(caller, siteId);
  if (replayed !== null && [...sites].some((siteId) => siteId === null || !replayed.includes(siteId)))
    throw new ProblemError('conflict', 'This replay covers only some sites, but its changes apply to more.');
}

/** The author of a candidate, who would be an editor of the rules that it changes. */
export interface Author {
  readonly userId: string;
  readonly name: string;
  readonly email: string | null;
}

/** The authors of the changes become editors of each rule that they change, so that separation of duties holds. */
export function withEditors(
  source: RulebookSource,
  { added, updated }: RuleSetDifference<RuleValues>,
  authors: readonly Author[],
): RulebookSource {
  if (!source.approvalPolicy.separation.ruleEditors) return source;
  const editors = new Map(source.editors);
  const note = (ruleId: string, isAuthor: boolean): unknown => {
    const editedAt = new Date();
    const own: RuleEditor[] = authors.map(({ userId, name, email }) => ({ userId, name, email, isAuthor, editedAt }));
    return editors.set(ruleId, [...(editors.get(ruleId) ?? []), ...own]);
  };
  for (const { id } of added) note(id, true);
  for (const { rule } of updated) note(rule.id, false);
  return { ...source, editors };
}

/** A changed rule set as it is asked for. */
export interface Plan {
  readonly changes: readonly StoredChange[];
  readonly defaultUnmatchedVerdict: DefaultVerdict | null;
  /** Those who would be editors of what changes, as far as the product still knows them. */
  readonly authors: readonly Author[];
}

export type Rules = readonly CandidateRule<RuleValues>[];

/** A candidate and what it is compared with, at one version of the rulebook. */
export interface Candidate {
  readonly version: number;
  readonly standing: CurrentRules<RuleValues>['rules'];
  readonly rules: Rules;
  /** When each rule was created. */
  readonly createdAt: ReadonlyMap<string, Date>;
  readonly siteIds: ReadonlySet<string>;
  readonly source: RulebookSource;
  readonly candidateSource: RulebookSource;
}

export interface Compared {
  readonly present: Rulebook;
  readonly candidate: Rulebook;
}

const MAX_RULES = 5000;

/** The organisation's own things that rules may name. */
interface Own {
  readonly siteIds: ReadonlySet<string>;
  readonly groupIds: ReadonlySet<string>;
}

const takesPart = ({ enabled, mode }: RuleValues): boolean => enabled && mode === 'live';

const asTheyAre = (rules: Candidate['standing']): CurrentRules<RuleValues> => ({
  rules,
  isOrdered: takesPart,
  vet: (values) => values,
});

const decidingRules = (rules: Rules): RulebookSource['rules'] =>
  rules.filter(({ values }) => takesPart(values)).map(({ id, values }) => ({ ...values, id }));

function requireOwn(values: RuleValues, before: RuleValues | null, { siteIds, groupIds }: Own): void {
  const { siteId, matchSignerGroupId: groupId } = values;
  // As when the rule itself is changed: a rule whose site was deleted can still be disabled.
  if (siteId !== null && siteId !== before?.siteId && !siteIds.has(siteId))
    throw new ProblemError('site_not_in_org', 'The site does not belong to the organisation.');
  if (groupId !== null && !groupIds.has(groupId))
    throw new ProblemError('signer_group_not_in_org', 'The signer group does not belong to the organisation.');
}

const completed = (change: StoredChange): RuleChange<RuleValues> =>
  change.op === 'add' ? { ...change, rule: { ...NEW_RULE, ...change.rule } as RuleValues } : change;

/** Makes the changes of a plan to the rules as they are, without storing anything (PAM-240). */
@Injectable()
export class Candidates {
  constructor(
    private readonly rulebooks: RulebookRepository,
    private readonly rules: RulesRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly signerGroups: SignerGroupsRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /** Call it while the rulebook is locked, so that all of it is of one version. */
  async make(
    tx: Tx,
    organization: OrgOfPartner,
    { changes, defaultUnmatchedVerdict, authors }: Plan,
  ): Promise<Candidate> {
    const loaded = await this.rulebooks.load(tx, organization.orgId);
    if (!loaded) throw new Error(`organisation ${organization.orgId} has no rulebook version`);
    const siteIds = new Set(await this.organizations.siteIds(tx, organization));
    const rows = await this.rules.byAge(tx, organization);
    const standing = rows.map((row) => ({ id: row.id, values: ruleValuesOf(row) }));
    const groups = await this.signerGroups.list(tx, organization);
    const groupIds = new Set(groups.rows.map(({ id }) => id));
    const rules = this.changed(standing, changes, { siteIds, groupIds });
    const source = { ...loaded, freezes: [], rules: decidingRules(candidateOf(asTheyAre(standing), [])) };
    return {
      version: loaded.version,
      standing,
      rules,
      createdAt: new Map(rows.map(({ id, createdAt }) => [id, createdAt])),
      siteIds,
      source,
      candidateSource: withEditors(
        { ...source, defaultVerdict: defaultUnmatchedVerdict ?? source.defaultVerdict, rules: decidingRules(rules) },
        differenceOf(standing, rules),
        authors,
      ),
    };
  }

  /** Like {@link make}, in a transaction that holds the rulebook. */
  async hold(tx: Tx, organization: OrgOfPartner, plan: Plan): Promise<Candidate> {
    await this.rulebooks.hold(tx, organization);
    return this.make(tx, organization, plan);
  }

  private changed(standing: Candidate['standing'], changes: readonly StoredChange[], own: Own): Rules {
    const vet = (values: RuleValues, at: number, before: RuleValues | null): RuleValues =>
      checkedAt(at, () => {
        const shaped = shapedRule(values, this.catalog);
        requireOwn(shaped, before, own);
        return shaped;
      });
    try {
      const rules = candidateOf({ rules: standing, isOrdered: takesPart, vet }, changes.map(completed));
      if (rules.length > Math.max(MAX_RULES, standing.length))
        throw new ProblemError('conflict', `The limit of ${MAX_RULES} rules would be exceeded.`);
      return rules;
    } catch (error) {
      throw error instanceof ChangeFault ? problemOf(error) : error;
    }
  }
}

/** @throws Error for rules that cannot be evaluated */
export const compiled = ({ source, candidateSource }: Candidate): Compared => ({
  present: compileRulebook(source),
  candidate: compileRulebook(candidateSource),
});

/** Rules of sites out of the caller's reach stay unknown to the caller's replays. */
export function requireSeen(caller: UserCaller, { changes }: Plan, standing: Candidate['standing']): void {
  const sites = new Map(standing.map(({ id, values }) => [id, values.siteId]));
  const isHidden = (change: StoredChange): boolean => {
    const siteId = 'ruleId' in change ? (sites.get(change.ruleId) ?? null) : null;
    return siteId !== null && !seesSite(caller.scope, siteId);
  };
  const at = changes.findIndex(isHidden);
  if (at !== -1)
    checkedAt(at, () => {
      throw new ProblemError('site_access_denied', 'You have no access to the site of this rule.');
    });
}

/** How a rule of the candidate is named in answers: an added one by its ref. */
export const namesOf = ({ changes }: Plan): ReadonlyMap<string, string> =>
  new Map(changes.flatMap((change) => (change.op === 'add' ? [[change.id, change.ref] as const] : [])));
