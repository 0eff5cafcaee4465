import type { UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { ticketGap } from '@gatehouse/pam-domain';
import { justificationOfRequest } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import {
  alreadyVoted,
  approverProblem,
  decidabilityProblem,
  decisionProblem,
  justificationProblem,
  requireReach,
} from '../requests/request-problems.ts';
import type { TransitionedRequest } from '../requests/transitioned-request.ts';
import { type RequestState, RequestTransitionsRepository } from '../requests/request-transitions.repository.ts';
import { VotesRepository } from './votes.repository.ts';

/** A request after a decision or a vote; `pending` while votes are missing. */
export interface Decided {
  readonly moved: TransitionedRequest;
  readonly votesGiven: number;
}

export interface Vote {
  readonly id: string;
  readonly durationMinutes: number;
  readonly reason: string | null;
}

/** Counts a person's approval; the last one that the request demands approves it (PAM-181). */
@Injectable()
export class CastVote {
  constructor(
    private readonly requestTransitions: RequestTransitionsRepository,
    private readonly votes: VotesRepository,
  ) {}

  private async decidable(tx: Tx, caller: UserCaller, id: string): Promise<RequestState> {
    const known = requireReach(caller.scope, await this.requestTransitions.lock(tx, caller.scope, id));
    const problem = decidabilityProblem(caller, known, true);
    if (problem) throw problem;
    return known;
  }

  /**
   * Stores the ticket that a person gives with an approval, for a request that may need one (PAM-213).
   * @throws ProblemError ticket_invalid, and all that refuses the approval itself
   */
  async giveTicket(tx: Tx, caller: UserCaller, { id, ticket }: { id: string; ticket: string }): Promise<void> {
    await this.decidable(tx, caller, id);
    const policy = await justificationOfRequest(tx, id);
    const gap = ticketGap(policy, { ticket });
    if (gap) throw justificationProblem(gap, policy);
    await this.requestTransitions.giveTicket(tx, id, ticket);
  }

  /** @throws ProblemError as DecideRequest */
  async within(tx: Tx, caller: UserCaller, { id, durationMinutes, reason }: Vote): Promise<Decided> {
    const known = await this.decidable(tx, caller, id);
    if (known.needsTicket) throw justificationProblem('ticket_required', await justificationOfRequest(tx, id));
    if (!(await this.votes.cast(tx, caller, id, durationMinutes))) throw alreadyVoted();
    await this.votes.voidLost(tx, caller, id);
    // Whoever has become an editor, or is known to be the account, since their vote no longer counts (PAM-304).
    const barred = (await this.votes.others(tx, caller, id)).filter((voter) => approverProblem(voter, known) !== null);
    const barredIds = barred.map(({ userId }) => userId);
    await this.votes.void(tx, id, barredIds);
    const { given, minutes } = await this.votes.tally(tx, id);
    if (given < known.votesRequired) return { moved: await this.votes.request(tx, id), votesGiven: given };
    const moved = await this.requestTransitions.approve(tx, caller, id, { minutes, reason, votes: given });
    if (!moved) throw decisionProblem(caller, known, true);
    return { moved, votesGiven: given };
  }
}
