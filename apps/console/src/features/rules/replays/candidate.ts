import type { BodyOf } from '@gatehouse/client';
import { useSyncExternalStore } from 'react';
import type { NewRule, Rule, RuleChange } from '../model.ts';
import { displaced } from '../order.ts';
import type { Outcome } from './queries.ts';

export type Change = NonNullable<BodyOf<'/pam/replays', 'post'>['changes']>[number];
export type Unmatched = 'require_approval' | 'auto_deny';

interface AddedRule {
  /** The name of the rule within one replay. */
  readonly ref: string;
  readonly rule: NewRule;
}

/** A rule set that is tried out: how it differs from the rules as they are. */
export interface Candidate {
  readonly patches: Readonly<Record<string, RuleChange>>;
  readonly removed: readonly string[];
  readonly added: readonly AddedRule[];
  /** Ids and refs in their new order; null while nothing moved. */
  readonly order: readonly string[] | null;
  readonly unmatched: Unmatched | null;
}

export const UNCHANGED: Candidate = { patches: {}, removed: [], added: [], order: null, unmatched: null };

/** How much of a candidate differs from the rules as they are. */
const changeCount = ({ patches, removed, added, order, unmatched }: Candidate): number =>
  Object.keys(patches).length + removed.length + added.length + Number(order !== null) + Number(unmatched !== null);

/** One rule of the candidate. */
export interface Line {
  /** The id, or the ref of an added rule. */
  readonly id: string;
  readonly name: string;
  readonly verdict: Rule['verdict'];
  readonly enabled: boolean;
  readonly isAdded: boolean;
  readonly isChanged: boolean;
  readonly isRemoved: boolean;
}

const addedLine = ({ ref, rule }: AddedRule): Line => ({
  id: ref,
  name: rule.name,
  verdict: rule.verdict,
  enabled: rule.enabled ?? true,
  isAdded: true,
  isChanged: false,
  isRemoved: false,
});

function standingLine(rule: Rule, { patches, removed }: Candidate): Line {
  const patch = patches[rule.id];
  const { id, name, verdict, enabled } = { ...rule, ...patch };
  const isRemoved = removed.includes(id);
  return { id, name, verdict, enabled, isAdded: false, isChanged: patch !== undefined, isRemoved };
}

/** The rules of the candidate in their order; those that it removes stand where they were. */
export function linesOf(rules: readonly Rule[], candidate: Candidate): Line[] {
  const lines = [...rules.map((rule) => standingLine(rule, candidate)), ...candidate.added.map(addedLine)];
  const { order } = candidate;
  if (order === null) return lines;
  const placeOf = ({ id }: Line) => (order.includes(id) ? order.indexOf(id) : order.length);
  return lines.sort((one, other) => placeOf(one) - placeOf(other));
}

export const REF_LENGTH = 60;
/** A ref that reads as the name of its rule. */
function refFor(name: string, { added }: Candidate): string {
  const short = name.slice(0, REF_LENGTH);
  const taken = added.filter(({ ref }) => ref.startsWith(short)).length;
  return taken === 0 ? short : `${short} ${taken + 1}`;
}

export const withAdded = (candidate: Candidate, rule: NewRule): Candidate => ({
  ...candidate,
  added: [...candidate.added, { ref: refFor(rule.name, candidate), rule }],
});

const withoutKey = <T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));

/** Changes members of a rule; a member that returns to its stored value is no change. */
export function withPatch(candidate: Candidate, rule: Rule, patch: RuleChange): Candidate {
  const { id } = rule;
  const stored = rule as Readonly<Record<string, unknown>>;
  const members = Object.entries({ ...candidate.patches[id], ...patch });
  const changed = members.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name]));
  const others = withoutKey(candidate.patches, id);
  const patches = changed.length === 0 ? others : { ...others, [id]: Object.fromEntries(changed) };
  return { ...candidate, patches };
}

/** Removes a rule, or takes the removal back; an added rule just goes. */
export function withToggled(candidate: Candidate, { id, isAdded, isRemoved }: Line): Candidate {
  const { added, removed, order } = candidate;
  if (isAdded) {
    const left = order && order.filter((one) => one !== id);
    return { ...candidate, added: added.filter(({ ref }) => ref !== id), order: left };
  }
  return { ...candidate, removed: isRemoved ? removed.filter((one) => one !== id) : [...removed, id] };
}

/** Moves a line to a place, counted from 0. */
export function withMoved(candidate: Candidate, lines: readonly Line[], id: string, to: number): Candidate {
  const ids = lines.map((line) => line.id);
  const moving = displaced(ids, id, to);
  const first = Math.min(...moving.map((one) => ids.indexOf(one)));
  const order = ids.map((one, at) => (at >= first && at < first + moving.length ? (moving[at - first] ?? one) : one));
  return { ...candidate, order };
}

/** The changes of the candidate as the API takes them. */
export function changesOf(rules: readonly Rule[], candidate: Candidate): Change[] {
  const { patches, removed, added, order } = candidate;
  const known = new Set(rules.map(({ id }) => id));
  const left = linesOf(rules, candidate).filter(({ isRemoved }) => !isRemoved);
  const usual = linesOf(rules, { ...candidate, order: null }).filter(({ isRemoved }) => !isRemoved);
  const isMoved = order !== null && left.some(({ id }, at) => id !== usual[at]?.id);
  return [
    ...added.map(({ ref, rule }): Change => ({ op: 'add', ref, rule })),
    ...Object.entries(patches)
      .filter(([ruleId]) => known.has(ruleId) && !removed.includes(ruleId))
      .map(([ruleId, patch]): Change => ({ op: 'update', ruleId, patch })),
    ...removed.filter((ruleId) => known.has(ruleId)).map((ruleId): Change => ({ op: 'remove', ruleId })),
    ...(isMoved ? [{ op: 'reorder' as const, ruleIds: left.map(({ id }) => id) }] : []),
  ];
}

/** What becomes of a request. */
export const OUTCOMES: readonly Outcome[] = ['auto_approved', 'pending', 'denied', 'ignored'];

/**
 * The candidates of this tab, by organisation. They live until the page is left, which the browser asks about, or a
 * replay is applied.
 */
const candidates = new Map<string, Candidate>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const candidateFor = (orgId: string): Candidate => candidates.get(orgId) ?? UNCHANGED;

const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();

/** Following links keeps a candidate; a reload or a closed tab would lose it, on whatever screen that happens. */
function guard(): void {
  const isUsed = [...candidates.values()].some((one) => changeCount(one) > 0);
  if (isUsed) window.addEventListener('beforeunload', askBeforeLeaving);
  else window.removeEventListener('beforeunload', askBeforeLeaving);
}

export function keepCandidate(orgId: string, candidate: Candidate): void {
  candidates.set(orgId, candidate);
  guard();
  for (const listener of listeners) listener();
}

export const useCandidate = (orgId: string): Candidate => useSyncExternalStore(subscribe, () => candidateFor(orgId));
