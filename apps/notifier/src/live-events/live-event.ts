import { type EventEnvelope, seesOrg, seesSite, type UserCaller } from '@gatehouse/contracts-core';

/** What every live event tells about where it belongs. */
export interface Placed {
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string | null;
  /** Set on what concerns one person only. */
  readonly userId?: string;
}

/** Elevation facts within the caller's reach; approvals that are the caller's own, wherever the device is by now. */
export function mayHear(
  { scope, userId }: UserCaller,
  { partnerId, orgId, siteId, userId: addressee }: Placed,
): boolean {
  return seesOrg(scope, partnerId, orgId) && (addressee === undefined ? seesSite(scope, siteId) : addressee === userId);
}

/** The text of one server-sent event. */
export const frameOf = ({ id, subject, occurredAt, data }: EventEnvelope): string =>
  `id: ${id}\nevent: ${subject}\ndata: ${JSON.stringify({ id, subject, occurredAt, data })}\n\n`;
