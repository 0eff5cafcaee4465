import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';

/** @throws ProblemError partner_context_required for a session without a partner */
export function requirePartner({ partnerId }: UserCaller): string {
  if (!partnerId) throw new ProblemError('partner_context_required', 'This needs a session of a partner.');
  return partnerId;
}
