import type { UserCaller } from '@gatehouse/contracts-core';
import type { ReplaySummaryRecord } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import {
  compileRulebook,
  newly,
  type Outcome,
  Replay,
  type RulebookSource,
  type RuleSetDifference,
  type Tally,
} from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { type Author, type Candidate, withEditors } from './candidates.ts';
import { HistoryRepository } from './history.repository.ts';
import type { RuleValues } from '../rules/rules.repository.ts';
import type { ReplayRow } from './replays.repository.ts';

export type ReplayNumbers = Pick<
  ReplaySummaryRecord,
  'changed' | 'newlyAutoApproved' | 'newlyDenied' | 'newlyIgnored' | 'newlyPending'
>;

const PAGE = 200;
const MAX_REQUESTS = 10_000;

interface Applying {
  readonly replay: ReplayRow;
  readonly candidate: Candidate;
  readonly difference: RuleSetDifference<RuleValues>;
  readonly author: Author | null;
}

/**
 * The numbers of a replay with its final editors, who are its author and the one who applies it. The rulebook is the
 * one of the replay, and separation of duties looks at who asks, so that only requests of the one who applies it can
 * be decided otherwise than when it was replayed: these alone are decided again.
 */
@Injectable()
export class FinalNumbers {
  constructor(private readonly history: HistoryRepository) {}

  async of(tx: Tx, caller: UserCaller, applying: Applying): Promise<ReplayNumbers> {
    const { replay, candidate } = applying;
    const told = numbersOf(replay.summary!);
    const { ruleEditors } = candidate.source.approvalPolicy.separation;
    if (replay.createdBy === caller.userId || !ruleEditors) return told;
    const [before, after] = replaysOf(applying, caller);
    await this.decide(tx, caller, replay, [before, after]);
    return correctedBy(told, before.tally, after.tally);
  }

  private async decide(tx: Tx, caller: UserCaller, replay: ReplayRow, replays: readonly Replay[]): Promise<void> {
    const { orgId, flowType, since, createdAt: until, position } = replay;
    const requester = { userId: caller.userId, email: caller.email };
    const window = { orgId, flowType: flowType ?? undefined, since, until, from: position ?? undefined, requester };
    const scope = { ...caller.scope, sites: replay.sites === null ? ('all' as const) : new Set(replay.sites) };
    let before: string | undefined;
    for (let read = 0; read < MAX_REQUESTS; read += PAGE) {
      const page = await this.history.page(tx, scope, { ...window, before, limit: PAGE });
      for (const { observation } of page) for (const each of replays) each.judge(observation);
      if (page.length < PAGE) return;
      before = page.at(-1)?.id;
    }
  }
}

/** The replay with its author as the only new editor, as it was told, and with both. */
function replaysOf({ candidate, difference, author }: Applying, applier: Author): [Replay, Replay] {
  const known = author ? [author] : [];
  const present = compileRulebook(candidate.source);
  const replayOf = (source: RulebookSource): Replay => new Replay(present, compileRulebook(source));
  const { candidateSource } = candidate;
  return [
    replayOf(withEditors(candidateSource, difference, known)),
    replayOf(withEditors(candidateSource, difference, [...known, applier])),
  ];
}

const numbersOf = (told: ReplaySummaryRecord): ReplayNumbers => {
  const { changed, newlyAutoApproved, newlyDenied, newlyIgnored, newlyPending } = told;
  return { changed, newlyAutoApproved, newlyDenied, newlyIgnored, newlyPending };
};

function correctedBy(told: ReplayNumbers, before: Tally, after: Tally): ReplayNumbers {
  const corrected = (number: number, outcome: Outcome): number =>
    number + newly(after, outcome) - newly(before, outcome);
  return {
    changed: told.changed + after.changed - before.changed,
    newlyAutoApproved: corrected(told.newlyAutoApproved, 'auto_approved'),
    newlyDenied: corrected(told.newlyDenied, 'denied'),
    newlyIgnored: corrected(told.newlyIgnored, 'ignored'),
    newlyPending: corrected(told.newlyPending, 'pending'),
  };
}
