import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';

/** @throws ProblemError partner_context_required for a session that belongs to no partner */
export function ownPartnerOf(caller: UserCaller): string {
  if (caller.partnerId === null)
    throw new ProblemError('partner_context_required', 'This needs a partner in the session.');
  return caller.partnerId;
}
