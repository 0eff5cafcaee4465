import type { UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { ticketGap } from '@gatehouse/pam-domain';
import { justificationOfRequest } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { justificationProblem } from '../requests/justification-problem.ts';
import { decidabilityProblem, requireReach } from '../requests/request-problems.ts';
import { RequestTransitionsRepository } from '../requests/request-transitions.repository.ts';

/** Stores the ticket that a person gives with an approval, for a request that may need one (PAM-213). */
@Injectable()
export class GiveTicket {
  constructor(private readonly requestTransitions: RequestTransitionsRepository) {}

  /** @throws ProblemError ticket_invalid, and all that refuses the approval itself */
  async within(tx: Tx, caller: UserCaller, { id, ticket }: { id: string; ticket: string }): Promise<void> {
    const known = requireReach(caller.scope, await this.requestTransitions.lock(tx, caller.scope, id));
    const problem = decidabilityProblem(caller, known, true);
    if (problem) throw problem;
    const policy = await justificationOfRequest(tx, id);
    const gap = ticketGap(policy, { ticket });
    if (gap) throw justificationProblem(gap, policy);
    await this.requestTransitions.giveTicket(tx, id, ticket);
  }
}
