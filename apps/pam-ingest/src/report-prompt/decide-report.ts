import type { AgentReportDto } from '@gatehouse/contracts-pam';
import { decide, type Decision, EffortExceeded, EffortShares, failSafe, type Rulebook } from '@gatehouse/pam-domain';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { DeviceCaller } from '../agents/agent-devices.ts';
import { observationOf } from './decided-report.ts';
import { Rulebooks } from '../rulebooks/rulebooks.ts';

export interface RuledDecision {
  readonly decision: Decision;
  /** Null when no rulebook was usable, so that the request is left for a technician. */
  readonly rulebook: Rulebook | null;
}

/** Logs rules and policies whose matching exceeded the effort limit, each at most once a minute. */
@Injectable()
export class CostlyRules {
  private readonly named = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: EVERY_MS });

  constructor(@Inject(LOGGER) private readonly log: Pick<Logger, 'warn'>) {}

  note(
    { orgId, deviceId }: { readonly orgId: string; readonly deviceId: string },
    { held, costliest }: Decision,
  ): void {
    if (held !== 'effort_exceeded') return;
    const key = `${orgId} ${costliest?.id ?? ''}`;
    if (this.named.has(key)) return;
    this.named.set(key, true);
    this.log.warn({ orgId, deviceId, costliest }, 'matching took too much work; the request waits for a person');
  }
}

/** Decides a report with its organisation's rulebook, within the organisation's share of processing time. */
@Injectable()
export class DecideReport {
  private readonly shares = new EffortShares();

  constructor(
    private readonly rulebooks: Rulebooks,
    private readonly costlyRules: CostlyRules,
  ) {}

  async byRules(caller: DeviceCaller, report: AgentReportDto): Promise<RuledDecision> {
    if (!this.rulebooks.mayGet(caller.device)) return { decision: failSafe(new EffortExceeded()), rulebook: null };
    const rulebook = await this.rulebooks.get(caller.device);
    if (!rulebook) return this.byPerson();
    const holdsGrants = caller.device.orgStatus === 'suspended';
    const observation = observationOf(caller, report, new Date());
    const decision = this.shares.during(rulebook.orgId, (effort) =>
      decide(observation, rulebook, { effort, holdsGrants }),
    );
    this.costlyRules.note(caller.device, decision);
    return { decision, rulebook };
  }

  byPerson(): RuledDecision {
    return { decision: failSafe(), rulebook: null };
  }

  /** Drops a rulebook that proved stale. */
  forget(rulebook: Rulebook): void {
    this.rulebooks.forget(rulebook);
  }
}

const MAX_REMEMBERED = 10_000;
const EVERY_MS = 60_000;
