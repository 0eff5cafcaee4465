import type {
  OutcomeRecord,
  ReplayCaveat,
  ReplaySummaryRecord,
  RuleCountRecord,
  RuleFindingRecord,
} from '@gatehouse/contracts-pam';
import { MAX_COUNTED_RULES } from '@gatehouse/contracts-pam';
import { type DecisionContext, newly, type Tally, transitionsOf } from '@gatehouse/pam-domain';

/** The refs of added rules by their ids. */
export type Refs = ReadonlyMap<string, string>;

const named = (id: string | null, refs: Refs): { ruleId: string | null; ref: string | null } => {
  const ref = id === null ? null : (refs.get(id) ?? null);
  return { ruleId: ref === null ? id : null, ref };
};

export const outcomeOf = ({ outcome, source, ruleId, policyId, held }: DecisionContext, refs: Refs): OutcomeRecord => ({
  outcome,
  source,
  ...named(ruleId, refs),
  policyId,
  held,
});

/** Rules that decide a request before or after, and those that the changes add; the greatest differences first. */
function perRule({ before, after }: Tally, refs: Refs): RuleCountRecord[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after), ...refs.keys()])];
  return ids
    .map((id) => ({ ...named(id, refs), before: before[id] ?? 0, after: after[id] ?? 0 }))
    .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before) || b.before - a.before)
    .slice(0, MAX_COUNTED_RULES);
}

const caveatsOf = ({ withoutGroups }: Tally, truncated: boolean): ReplayCaveat[] => [
  'ignored_not_recorded',
  'places_are_current',
  'freezes_left_out',
  ...(withoutGroups > 0 ? (['groups_unknown'] as const) : []),
  ...(truncated ? (['truncated'] as const) : []),
];

/** What a summary tells besides the counts. */
export interface Told {
  readonly refs: Refs;
  readonly truncated: boolean;
  readonly devicesAffected: number;
  readonly lint: readonly RuleFindingRecord[];
}

export const summaryOf = (tally: Tally, { refs, truncated, devicesAffected, lint }: Told): ReplaySummaryRecord => ({
  totalScanned: tally.scanned,
  truncated,
  changed: tally.changed,
  transitions: transitionsOf(tally),
  newlyAutoApproved: newly(tally, 'auto_approved'),
  newlyDenied: newly(tally, 'denied'),
  newlyIgnored: newly(tally, 'ignored'),
  newlyPending: newly(tally, 'pending'),
  devicesAffected,
  perRule: perRule(tally, refs),
  lint: [...lint],
  caveats: caveatsOf(tally, truncated),
});
