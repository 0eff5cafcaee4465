import { wordsForCode } from '../../../api/problem.ts';
import type { ElevationRequest } from '../request.ts';

/** A prompt that one approval decides has no requester or earlier vote that could stand in the way. */
export const mayBeRefused = ({ flowType, votesRequired }: ElevationRequest): boolean =>
  flowType !== 'uac_intercept' || votesRequired > 1;

/** The server's word on a decision, as the reason against it; null where there is none. */
export const decisionProblem = (code: unknown): string | null =>
  code === undefined || code === true || code === 'not_pending' ? null : wordsForCode(String(code));
