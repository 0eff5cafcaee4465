import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ReplayChangeRecord, ShadowReportRecord, TransitionRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { isWhereNamed, type NamedThing } from '../tenants/require-place.ts';
import { RulesRepository } from '../rules/rules.repository.ts';
import { type HitCount, type ShadowHitRow, ShadowHitsRepository } from './shadow-hits.repository.ts';

const isChange = ({ from, to, isHeldOtherwise }: HitCount): boolean => from !== to || isHeldOtherwise;

const sum = (counts: readonly HitCount[]): number => counts.reduce((total, { count }) => total + count, 0);

function outcomesOf(counts: readonly HitCount[]): TransitionRecord[] {
  const totals = new Map<string, TransitionRecord>();
  for (const { from, to, count } of counts) {
    const known = totals.get(`${from}>${to}`)?.count ?? 0;
    totals.set(`${from}>${to}`, { from, to, count: known + count });
  }
  return [...totals.values()].sort((a, b) => b.count - a.count);
}

const changeOf = (hit: ShadowHitRow, ruleId: string): ReplayChangeRecord => ({
  requestId: hit.id,
  requestedAt: hit.requestedAt.toISOString(),
  deviceId: hit.deviceId,
  deviceHostname: hit.deviceHostname,
  flowType: hit.flowType,
  before: {
    outcome: hit.from,
    source: hit.from === 'pending' ? null : hit.decisionSource,
    ruleId: hit.pamRuleId,
    ref: null,
    policyId: hit.matchedPolicyId,
    held: hit.held,
  },
  after: {
    outcome: hit.to,
    source: hit.to === 'pending' ? null : 'pam_rule',
    ruleId,
    ref: null,
    policyId: null,
    held: hit.wouldBeHeld,
  },
  recorded: { status: hit.status, source: hit.decisionSource },
});

@Injectable()
export class ShadowReportsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rules: RulesRepository,
    private readonly hits: ShadowHitsRepository,
  ) {}

  /** Says what a shadow rule would have done (PAM-247). */
  get(caller: UserCaller, named: NamedThing, days: number): Promise<ShadowReportRecord> {
    return this.work.read(caller, async (reader) => {
      const rule = await this.rules.find(reader, caller.scope, named.id);
      if (!rule || !isWhereNamed(named, rule)) throw new ProblemError('rule_not_found', 'There is no such rule.');
      const { scope } = caller;
      const window = { ruleId: rule.id, orgId: rule.orgId, days, shadowSince: rule.shadowSince };
      const since = await this.hits.since(reader, window);
      const counts = await this.hits.counts(reader, scope, window, since);
      const sample = await this.hits.sample(reader, scope, window, since);
      return {
        since: since.toISOString(),
        hits: sum(counts),
        hitsIgnored: scope.sites === 'all' ? await this.hits.ignored(reader, window, since) : 0,
        wouldChange: sum(counts.filter(isChange)),
        outcomes: outcomesOf(counts),
        devices: await this.hits.devices(reader, scope, window, since),
        sample: sample.map((hit) => changeOf(hit, rule.id)),
      };
    });
  }
}
