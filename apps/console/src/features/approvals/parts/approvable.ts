import { useQueries } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { decisionProblem, mayBeRefused } from '../../../ui/elevation/decide/disabled-reasons.ts';
import { type ElevationRequest, needsCare, requestQuery } from '../../../ui/elevation/request.ts';

/** Why this person cannot approve a request; null where they can. */
export type ProblemOf = (request: ElevationRequest) => string | null;

/** Asks the server for its word on those of the requests that it may refuse. */
export function useApprovalProblems(requests: readonly ElevationRequest[]): ProblemOf {
  const ids = [...new Set(requests.filter(mayBeRefused).map(({ id }) => id))];
  const details = useQueries({ queries: ids.map(requestQuery) });
  return ({ id }) => decisionProblem(details[ids.indexOf(id)]?.data?.mayRespond.approve);
}

/** Those of the requests that one decision can approve together, and in words why there is none. */
export function useApprovable(requests: readonly ElevationRequest[], problemOf: ProblemOf) {
  const words = useTranslations('approvals');
  const plain = requests.filter((request) => !needsCare(request));
  const approvable = plain.filter((request) => problemOf(request) === null);
  const [first] = plain;
  const whyNone = (first && problemOf(first)) ?? words('allFlagged');
  return { approvable, whyNone: requests.length > 0 && approvable.length === 0 ? whyNone : null };
}
