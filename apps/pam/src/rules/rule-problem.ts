import { invalid, ProblemError } from '@gatehouse/contracts-core';
import type { RuleFault } from '@gatehouse/pam-domain';

/** Maps a fault in a draft rule to its problem. */
export function ruleProblem(fault: RuleFault): ProblemError {
  if (fault.code === 'validation_failed') return invalid(fault.path, fault.message);
  return new ProblemError(fault.code, fault.message, 'validTiers' in fault ? { validTiers: fault.validTiers } : {});
}
