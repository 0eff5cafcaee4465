import { type EventEnvelope, seesOrg, seesSite, type UserCaller } from '@gatehouse/contracts-core';

/** The members of every live event that determine who may receive it. */
export interface Placed {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string | null;
  /** Set if the event concerns only this user. */
  readonly userId?: string;
}

/**
 * Whether the caller may receive the event: elevation facts within the caller's reach, and the caller's own approvals
 * wherever the device now is.
 */
export function mayHear(
  { scope, userId }: UserCaller,
  { partnerId, orgId, siteId, userId: addressee }: Placed,
): boolean {
  return seesOrg(scope, partnerId, orgId) && (addressee === undefined ? seesSite(scope, siteId) : addressee === userId);
}

/** The text of one server-sent event. */
export const frameOf = ({ id, subject, occurredAt, data }: EventEnvelope): string =>
  `id: ${id}\nevent: ${subject}\ndata: ${JSON.stringify({ id, subject, occurredAt, data })}\n\n`;
