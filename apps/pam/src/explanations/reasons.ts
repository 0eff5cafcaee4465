import { seesSite, type UserCaller } from '@gatehouse/contracts-core';
import { type Explanation, explaining, type Observation, type Rulebook } from '@gatehouse/pam-domain';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Explaining yields to other requests on the event loop after this many milliseconds. */
const TURN_MS = 5;

/** Whether the caller sees who wrote the rule that matched. An organisation does not see its partner's authors. */
export const showsEditors = (caller: UserCaller, { matched }: Explanation): boolean =>
  matched !== null && (matched.origin === 'organization' || caller.level !== 'organization');

/** Explains a decision to a caller, who sees the rules of the own sites and of the whole organisation. */
export async function reasonsFor(
  { scope }: UserCaller,
  observation: Observation,
  rulebook: Rulebook,
  holdsGrants: boolean,
): Promise<Explanation> {
  const work = explaining(observation, rulebook, {
    circumstances: { holdsGrants },
    shows: ({ siteId }) => siteId === null || seesSite(scope, siteId),
  });
  let turnEndsAt = performance.now() + TURN_MS;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + TURN_MS;
  }
}
