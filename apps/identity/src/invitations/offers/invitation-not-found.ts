import { ProblemError } from '@gatehouse/contracts-core';

export const invitationNotFound = (): ProblemError =>
  new ProblemError('invitation_not_found', 'There is no such open invitation.');
