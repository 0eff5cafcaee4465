import { GatehouseError, type Problem } from '@gatehouse/client';
import problemWords from '../words/en/problems.json' with { type: 'json' };
import { PROBLEMS } from './generated/problems.ts';

/** Words of our own where the contract's are meant for programs. */
const OWN: Readonly<Record<string, string>> = problemWords;
const CONTRACT: Readonly<Record<string, string>> = PROBLEMS;

/** How browsers tell that no passkey was made or used. */
const CEREMONIES: Readonly<Record<string, string>> = {
  NotAllowedError: 'passkey_cancelled',
  InvalidStateError: 'passkey_known',
};

/** The code of an error, `network` if there was no answer, `unforeseen` if it is a fault of this page. */
export function codeOf(error: unknown): string {
  if (error instanceof GatehouseError) return error.code;
  if (error instanceof DOMException) return CEREMONIES[error.name] ?? 'unforeseen';
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message) ? 'network' : 'unforeseen';
}

/** The problem document of an error, with members such as `issues`, `missing` or `finalStatus`. */
export const problemOf = (error: unknown): (Problem & Readonly<Record<string, unknown>>) | null =>
  error instanceof GatehouseError ? error.problem : null;

/**
 * Codes whose `detail` says more than their words, in a sentence for people: which devices are still at the site, which
 * limit is reached, how the rule contradicts itself.
 */
const DETAILED: ReadonlySet<string> = new Set([
  'conflict',
  'pam_rule_invalid',
  'pam_rule_risk_tier_unreachable',
  'role_not_grantable',
]);

/** Our own words name members of the problem: `{level}`. */
const filled = (text: string, members: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(members[name] ?? whole));

/** What a code means, for its reader. */
export const wordsForCode = (code: string, members: Readonly<Record<string, unknown>> = {}): string =>
  filled(OWN[code] ?? CONTRACT[code] ?? OWN['unforeseen'] ?? '', members);

/** What an error means, for its reader. */
export function wordsFor(error: unknown): string {
  const code = codeOf(error);
  const detail = problemOf(error)?.detail;
  if (detail && DETAILED.has(code)) return detail;
  return wordsForCode(code, problemOf(error) ?? {});
}

/** By which a fault of the server is found in its logs. */
export function requestIdOf(error: unknown): string | undefined {
  const problem = problemOf(error);
  return problem && problem.status >= 500 ? problem.requestId : undefined;
}

/**
 * Whether it is open what the answer would be: for a fault of the server or the network, and for a limit that still
 * holds. A refusal and 404 are answers.
 */
export function isUnanswered(error: unknown): boolean {
  const status = error instanceof GatehouseError ? error.status : 500;
  return status >= 500 || status === 429;
}

/** The errors of a form, by the path of the member: `criteria.path`. */
export function fieldErrors(error: unknown): Record<string, string> {
  const issues = problemOf(error)?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path, message]));
}
