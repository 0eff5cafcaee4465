import type { FreezeLevel } from '@gatehouse/contracts-pam';
import type { Observation, Place } from '../matching/observation.ts';
import { isJustified } from '../rules/justification.ts';
import { mayBe } from '../matching/accounts.ts';
import type { Freeze } from '../rules/precautions.ts';
import type { Rulebook } from '../rules/rulebook.ts';
import { bindsGrants } from './approval-demand.ts';
import type { Decision, Hold } from './decision.ts';
import type { DecisionContext } from './seen.ts';
import { editorsOf } from './separation.ts';

const idAt: Readonly<Record<FreezeLevel, (place: Place) => string>> = {
  device: ({ deviceId }) => deviceId,
  site: ({ siteId }) => siteId,
  organization: ({ orgId }) => orgId,
  partner: ({ partnerId }) => partnerId,
};

const isInForce = ({ expiresAt }: Freeze, at: Date): boolean =>
  expiresAt === null || at.getTime() < expiresAt.getTime();

const endOf = ({ expiresAt }: Freeze): number => expiresAt?.getTime() ?? Infinity;
const strength = ({ mode }: Freeze): number => Number(mode === 'lockdown');
const isStronger = (one: Freeze, other: Freeze): boolean =>
  strength(one) === strength(other) ? endOf(one) > endOf(other) : strength(one) > strength(other);

/**
 * The strongest of the freezes that cover a place at an instant: a lockdown before others, then the one with the latest
 * end; null without one.
 */
export function freezeAt({ freezes }: Pick<Rulebook, 'freezes'>, place: Place, at: Date): Freeze | null {
  if (freezes.length === 0) return null;
  const covering = freezes.filter((freeze) => idAt[freeze.level](place) === freeze.targetId && isInForce(freeze, at));
  return covering.reduce<Freeze | null>((most, each) => (most && !isStronger(each, most) ? most : each), null);
}

/** Whether the request comes from an editor of what would grant it. @throws EffortExceeded */
function requestedByRuleEditor(decision: Decision, judged: DecisionContext): boolean {
  const { requesterId, username } = judged.seen.observation;
  const editors = editorsOf(decision, judged) ?? [];
  return editors.some((editor) => editor.userId === requesterId || mayBe(editor, username));
}

/** People give their reasons when they ask, so only prompts lack one. */
const isUnjustified = (observation: Observation, { justification }: Rulebook): boolean =>
  justification.prompts.hold && observation.flowType === 'uac_intercept' && !isJustified(justification, observation);

type Withholds = (decision: Decision, judged: DecisionContext) => boolean;

/** In this order; the first one that applies is named. */
const OF_GRANTS: readonly (readonly [Hold, Withholds])[] = [
  ['organization_suspended', (_, { holdsGrants }) => holdsGrants],
  [
    'frozen',
    (_, { seen: { observation }, rulebook }) => freezeAt(rulebook, observation.place, observation.at) !== null,
  ],
  ['approval_level', (_, { seen, rulebook }) => bindsGrants(rulebook.approvalPolicy, seen.observation)],
  ['separation_of_duties', requestedByRuleEditor],
  ['justification_missing', (_, { seen, rulebook }) => isUnjustified(seen.observation, rulebook)],
];

function holdOf(decision: Decision, judged: DecisionContext): Hold | null {
  const { outcome } = decision;
  if (outcome !== 'auto_approved' && outcome !== 'ignored') return null;
  if (judged.seen.plainForms.length > 0) return 'suspicious_observation';
  if (outcome === 'auto_approved') return OF_GRANTS.find(([, withholds]) => withholds(decision, judged))?.[0] ?? null;
  // Only agent reports can be ignored: in the other flows a requester waits for the answer.
  return judged.seen.observation.flowType === 'uac_intercept' ? null : 'not_ignorable';
}

/** Step 4: a hold makes a grant pending, and nothing else. The first two holds also apply to what would be ignored. */
export function withHold(decision: Decision, judged: DecisionContext): Decision {
  const held = holdOf(decision, judged);
  return held ? { ...decision, outcome: 'pending', source: null, held } : decision;
}
