import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { type ToolCatalog, unreachableTier } from '@gatehouse/pam-domain';
import { type Logger, LOGGER } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ErrorTracking } from './error-tracking.ts';
import { TOOL_CATALOG } from '../settings/tools.service.ts';
import { type RuleRow, RulesRepository } from './rules.repository.ts';

const SCANNER = asService('pam');
const NAMED_AT_MOST = 100;

/**
 * Risk tiers are defined in the build, so a stored rule can require a tier that its tool no longer has (PAM-76). This
 * is safe, because the action then falls to the default verdict, but an operator should know.
 */
@Injectable()
export class WarnOnTierDrift implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesRepository,
    private readonly errors: ErrorTracking,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Never prevents the start: a failed check only logs a warning. */
  async onApplicationBootstrap(): Promise<void> {
    await this.run().catch((error: unknown) =>
      this.log.warn({ err: error }, '[pam-rule-tier-drift] the scan could not be made'),
    );
  }

  async run(): Promise<void> {
    const pinned = await this.work.backgroundRead(SCANNER, (reader) => this.rules.tierPinned(reader));
    const stale = pinned.flatMap((rule) => this.staleness(rule) ?? []);
    if (stale.length === 0) return;
    const rules = stale.slice(0, NAMED_AT_MOST);
    const message = `[pam-rule-tier-drift] ${stale.length} enabled ${stale.length === 1 ? 'rule' : 'rules'} can no longer match: ${rules.map(({ name }) => `"${name}"`).join(', ')}`;
    this.log.warn({ rules }, message);
    await this.errors.report('pam_rule_risk_tier_unreachable', message, { rules });
  }

  private staleness(rule: RuleRow) {
    const validTiers = unreachableTier(this.catalog, rule);
    const { id, orgId, name, matchToolName, matchRiskTier } = rule;
    return validTiers && { id, orgId, name, matchToolName, matchRiskTier, validTiers };
  }
}
