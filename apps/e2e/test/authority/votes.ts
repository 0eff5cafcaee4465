import type { Held } from './coalition.ts';
import type { Pools } from './draw.ts';
import { idOf } from './arena.ts';
import type { Json, Request } from './request.ts';

interface Card {
  readonly id: string;
  readonly elevationRequestId: string;
}

/** Who asked, and whose approvals were taken, at the request or at a card. */
export class Votes {
  private readonly requesters = new Map<string, string>();
  private readonly cards = new Map<string, string>();
  private readonly voters = new Map<string, Set<string>>();

  /** Learns the cards of a session, which all attackers then try. */
  async learn({ api }: Held, pools: Pools): Promise<void> {
    const { approvals = [] } = (await api.call('GET', '/approvals?status=pending')).body as { approvals?: Card[] };
    for (const { id, elevationRequestId } of approvals.filter((card) => !this.cards.has(card.id))) {
      this.cards.set(id, elevationRequestId);
      pools.add('approval', id);
    }
  }

  /** @returns what is wrong with an approval that was taken */
  check({ authority: { user } }: Held, { attempt: { route }, params, sent }: Request, body: Json): string[] {
    if (route === 'POST /pam/elevation-requests') this.requesters.set(idOf(body) ?? '', user.id);
    const { id = '' } = params;
    if (route === 'POST /approvals/{id}/approve') return this.taken(user.id, this.cards.get(id), body);
    return route.endsWith('/respond') && sent?.['decision'] === 'approve' ? this.taken(user.id, id, body) : [];
  }

  private taken(userId: string, request: string | undefined, body: Json): string[] {
    if (request === undefined) return ['a card that was shown to no one was taken'];
    const voters = (this.voters.get(request) ?? new Set()).add(userId);
    this.voters.set(request, voters);
    const { votesGiven, votesRequired, status } = body as Record<string, number | string>;
    return [
      ...(this.requesters.get(request) === userId ? ['approved the own request'] : []),
      ...(Number(votesGiven) > voters.size ? [`${votesGiven} votes were counted for ${voters.size} people`] : []),
      ...(status === 'approved' && voters.size < Number(votesRequired) ? [`approved by ${voters.size} people`] : []),
    ];
  }
}
