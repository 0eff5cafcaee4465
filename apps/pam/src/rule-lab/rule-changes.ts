import { invalid, ProblemError } from '@gatehouse/contracts-core';
import type { RuleChangeDto, RuleChangeKind } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type ChangeFault, type RuleChange } from '@gatehouse/pam-domain';
import type { RuleValues } from '../rules/rules.repository.ts';

/** A change as it is stored: values that the draft leaves out get their default when the candidate is made. */
export type StoredChange = RuleChange<Partial<RuleValues>>;

const MEMBERS: Readonly<Record<RuleChangeKind, readonly (keyof RuleChangeDto)[]>> = {
  add: ['ref', 'rule'],
  update: ['ruleId', 'patch'],
  remove: ['ruleId'],
  reorder: ['ruleIds'],
};
const ALL = ['ref', 'rule', 'ruleId', 'patch', 'ruleIds'] as const;

/** The path of a change in `issues`. */
const pathOf = (at: number): string => `changes[${at}]`;

function requireMembers(change: RuleChangeDto, at: number): void {
  const wanted = MEMBERS[change.op];
  for (const member of ALL) {
    const isGiven = change[member] !== undefined && change[member] !== null;
    const isWanted = wanted.includes(member);
    if (isGiven !== isWanted)
      throw invalid(`${pathOf(at)}.${member}`, isWanted ? 'must be given' : `is not a member of ${change.op}`);
  }
}

const given = <T extends object>(draft: T): Partial<T> =>
  Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined)) as Partial<T>;

function changeOf(change: RuleChangeDto, at: number, orgId: string): StoredChange {
  requireMembers(change, at);
  const { op, ref = '', rule, ruleId = '', patch, ruleIds = [] } = change;
  if (op === 'remove') return { op, ruleId };
  if (op === 'reorder') return { op, ruleIds };
  if (op === 'update') {
    const updates = given(patch!);
    if (Object.keys(updates).length === 0) throw invalid(`${pathOf(at)}.patch`, 'must name a member to change');
    return { op, ruleId, patch: updates as Partial<RuleValues> };
  }
  const { orgId: named, ...draft } = rule!;
  if (named !== undefined && named !== orgId)
    throw invalid(`${pathOf(at)}.rule.orgId`, 'must be the organisation of the replay');
  return { op, ref, id: newId(), rule: given(draft) as Partial<RuleValues> };
}

/**
 * The changes that a request asks for, in the form in which they are stored and made.
 * @throws ProblemError validation_failed for a change without the members of its `op`
 */
export const ruleChangesOf = (changes: readonly RuleChangeDto[], orgId: string): StoredChange[] =>
  changes.map((change, at) => changeOf(change, at, orgId));

const WORDS: Readonly<Record<ChangeFault['fault'], string>> = {
  rule_unknown: 'names a rule that the organisation does not have, or no longer',
  ref_taken: 'has a ref that names another rule',
  order_incomplete: 'must name every live rule',
  order_unknown: 'names a rule twice, or one that the organisation does not have',
};

interface Issues {
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

/** Names the change in a problem that its rule has. */
function placed(problem: ProblemError, at: number): ProblemError {
  const { issues } = problem.members as Issues;
  const [first] = issues ?? [];
  const path = first ? `${pathOf(at)}.${first.path}` : pathOf(at);
  const message = first?.message ?? problem.message;
  return new ProblemError(problem.code, problem.message, { ...problem.members, issues: [{ path, message }] });
}

/** Runs the check of one change, and names the change in its problem. */
export function checkedAt<T>(at: number, check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof ProblemError ? placed(error, at) : error;
  }
}

/** The problem of a draft that was made to the only change: it names `rule` and `ruleId`, as the caller sent them. */
export function problemOfDraft(error: unknown): unknown {
  if (!(error instanceof ProblemError)) return error;
  const { issues } = error.members as Issues;
  if (!issues) return error;
  const member = error.code === 'rule_not_found' ? 'ruleId' : 'rule';
  const named = issues.map(({ path, message }) => ({
    path: path.replace(/^changes\[0\](?:\.rule)?/u, member),
    message,
  }));
  return new ProblemError(error.code, error.message, { ...error.members, issues: named });
}

/** The problem of a change that does not fit the rules that it meets. */
export function problemOf({ at, fault }: ChangeFault): ProblemError {
  if (fault === 'rule_unknown') return placed(new ProblemError('rule_not_found', `A change ${WORDS[fault]}.`), at);
  return invalid(pathOf(at), WORDS[fault]);
}
