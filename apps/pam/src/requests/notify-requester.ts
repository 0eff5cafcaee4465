import { RequestOutcomeNotified, TOLD_OUTCOMES, type ToldOutcome } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import type { TransitionedRequest } from './transitioned-request.ts';

const isTold = (status: string): status is ToldOutcome => TOLD_OUTCOMES.some((outcome) => outcome === status);

/** Tells the person who made a request how it ended, unless the organisation does not want that (PAM-223). */
export function notifyRequester(tx: Tx, moved: TransitionedRequest): void {
  const { id: elevationRequestId, requestedBy: userId, hearsByMail: byMail, orgId, partnerId, deviceHostname } = moved;
  const { status } = moved;
  if (!userId || byMail === null || !isTold(status)) return;
  const outcome = { elevationRequestId, userId, orgId, partnerId, deviceHostname, status, byMail };
  tx.emit(RequestOutcomeNotified, outcome, { aggregateId: elevationRequestId });
}
