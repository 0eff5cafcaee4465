import { ProblemError } from '@gatehouse/contracts-core';
import type { JustificationGap, JustificationPolicy } from '@gatehouse/pam-domain';

const DETAILS: Readonly<Record<JustificationGap, string>> = {
  justification_required: 'The organisation asks for a reason; this one says too little.',
  ticket_required: 'The organisation asks for the number of a ticket.',
  ticket_invalid: 'The organisation has no tickets of this form.',
};

/** The problem of a request whose justification does not satisfy its organisation. */
export const justificationProblem = (gap: JustificationGap, { ticket: { hint } }: JustificationPolicy): ProblemError =>
  new ProblemError(gap, DETAILS[gap], { hint });
