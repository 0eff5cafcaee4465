import { ProblemError, seesSite, type UserCaller } from '@gatehouse/contracts-core';
import { FINDING_CODES, type LintResponse } from '@gatehouse/contracts-pam';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import {
  type Finding,
  type LintRule,
  lintRule,
  type LintSource,
  lintSteps,
  risksOfPolicy,
  type SoftwarePolicy,
  type ToolCatalog,
} from '@gatehouse/pam-domain';
import { type OrgOfPartner, type RulebookOwner, RulebookRepository } from '@gatehouse/pam-store';
import { Metrics } from '@gatehouse/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TOOL_CATALOG } from '../settings/tools.service.ts';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { isEmptyAtOnce } from '../tenants/require-place.ts';
import { LintSourceRepository } from './lint-source.repository.ts';

/** Other requests get a turn after this many milliseconds. */
const TURN_MS = 5;

const risky = (findings: readonly Finding[]): ProblemError =>
  new ProblemError('pam_rule_risky', 'The organisation does not accept rules with these findings.', { findings });

/** Lints the rules of an organisation or a partner, and refuses risky ones where the organisation wants that. */
@Injectable()
export class RuleLinter {
  private readonly found: ReturnType<Metrics['counter']>;

  constructor(
    private readonly sources: LintSourceRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
    metrics: Metrics,
  ) {
    this.found = metrics.counter('gatehouse_pam_lint_findings_total', 'Findings about rules when they are written', {
      code: FINDING_CODES,
    });
  }

  async sourceOf(reader: Reader, owner: RulebookOwner, ruleId?: string): Promise<LintSource> {
    return { ...(await this.sources.load(reader, owner, ruleId)), catalog: this.catalog, at: new Date() };
  }

  async inTurns(source: LintSource): Promise<Finding[]> {
    const steps = lintSteps(source);
    let turnEndsAt = performance.now() + TURN_MS;
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      if (performance.now() < turnEndsAt) continue;
      await nextTurn();
      turnEndsAt = performance.now() + TURN_MS;
    }
  }

  /** The findings about a rule that was written in this transaction. */
  async findingsAbout(reader: Reader, rule: RulebookOwner & { readonly id: string }): Promise<Finding[]> {
    const { id } = rule;
    const source = await this.sourceOf(reader, rule, id);
    const findings = lintRule(source, id);
    for (const { code } of findings) this.found.inc({ code });
    const refused = severeOf(source, findings);
    if (refused.length > 0 && (await this.sources.riskyRules(reader, rule)) === 'refuse') throw risky(refused);
    return findings;
  }

  /**
   * Refuses an allowlist that grants by a path where a standard user can save a file, as {@link findingsAbout} does a
   * rule.
   */
  async requireSafePolicy(
    reader: Reader,
    policy: RulebookOwner & Pick<SoftwarePolicy, 'id' | 'mode' | 'rules'> & { readonly enabled: boolean },
  ): Promise<void> {
    const findings = policy.enabled ? risksOfPolicy(policy) : [];
    for (const { code } of findings) this.found.inc({ code });
    if (findings.length > 0 && (await this.sources.riskyRules(reader, policy)) === 'refuse') throw risky(findings);
  }

  /** The findings about drafts of new rules of one priority, each as if it alone were added. */
  async findingsOfDrafts(
    reader: Reader,
    organization: OrgOfPartner,
    { drafts, priority }: { readonly drafts: readonly LintRule[]; readonly priority: number },
  ): Promise<Finding[]> {
    const source = await this.sourceOf(reader, organization);
    const position = await this.sources.rulesUpTo(reader, organization.orgId, priority);
    return drafts.flatMap((draft) =>
      lintRule({ ...source, rules: source.rules.toSpliced(position, 0, draft) }, draft.id),
    );
  }

  /** The severe findings about lenient rules, where the organisation refuses rules with any; else null. */
  async refusable(reader: Reader, owner: RulebookOwner): Promise<Finding[] | null> {
    if ((await this.sources.riskyRules(reader, owner)) !== 'refuse') return null;
    const source = await this.sourceOf(reader, owner);
    return severeOf(source, await this.inTurns(source));
  }

  /**
   * Refuses a change after which a rule has a severe finding that it had not before, or that was changed itself.
   * @param before what {@link refusable} gave before the change
   */
  async requireNoNewRisks(
    reader: Reader,
    owner: RulebookOwner,
    { before, changed = [] }: { readonly before: readonly Finding[] | null; readonly changed?: readonly string[] },
  ): Promise<void> {
    const after = before && (await this.refusable(reader, owner));
    if (!after) return;
    const known = new Set(before.map(keyOf));
    const added = after.filter((finding) => !known.has(keyOf(finding)) || changed.includes(finding.ruleId));
    if (added.length > 0) throw risky(added);
  }
}

const keyOf = ({ code, ruleId }: Finding): string => `${code} ${ruleId}`;

/** Only verdicts that let something through are refused. */
function severeOf({ rules }: LintSource, findings: readonly Finding[]): Finding[] {
  const lenient = new Set(
    rules.flatMap(({ id, verdict }) => (verdict === 'auto_approve' || verdict === 'ignore' ? [id] : [])),
  );
  return findings.filter(({ severity, ruleId }) => severity === 'error' && lenient.has(ruleId));
}

@Injectable()
export class RuleLintService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly linter: RuleLinter,
    private readonly rulebooks: RulebookRepository,
  ) {}

  async lintRules(caller: UserCaller, named: string | undefined): Promise<LintResponse> {
    if (isEmptyAtOnce(caller, { orgId: named }))
      return { success: true, findings: [], checkedAt: new Date().toISOString(), rulebookVersion: 0 };
    const { source, version } = await this.work.read(caller, async (reader) => {
      const organization = await this.organizations.resolve(reader, caller, named);
      return {
        version: (await this.rulebooks.version(reader, organization.orgId)) ?? 0,
        source: await this.linter.sourceOf(reader, organization),
      };
    });
    const isShown = new Set(
      source.rules.filter(({ siteId }) => siteId === null || seesSite(caller.scope, siteId)).map(({ id }) => id),
    );
    const findings = (await this.linter.inTurns(source)).filter(({ ruleId }) => isShown.has(ruleId));
    return { success: true, findings, checkedAt: source.at.toISOString(), rulebookVersion: version };
  }
}
