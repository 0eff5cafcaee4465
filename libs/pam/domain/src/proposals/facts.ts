import type { Observation } from '../matching/observation.ts';
import { baseNameOf, foldPath } from '@gatehouse/windows-paths';
import type { RuleCriteria } from '../rules/rule.ts';

/** What a request can give to a rule as a criterion. */
export type Fact = 'hash' | 'path' | 'name' | 'parent' | 'user' | 'site' | 'signer' | 'tool' | 'tier';

const MOST_TEXT = 255;
const MOST_PATH = 1024;
const HASH = /^[0-9a-f]{64}$/i;
/** A glob has no way to write these two literally. */
const WILD = /[*?]/;

/** A text that a criterion can hold as it is; null for others. */
const usable = (text: string | null, most: number): string | null =>
  text !== null && text !== '' && text === text.trim() && text.length <= most ? text : null;

const literal = (path: string | null): string | null => (path === null || WILD.test(path) ? null : path);

function inEveryFolder(path: string | null): string | null {
  const name = path === null ? '' : path.slice(path.length - baseNameOf(foldPath(path)).length);
  return name === '' ? null : literal(name) && usable(`**/${name}`, MOST_PATH);
}

const CRITERION: Readonly<Record<Fact, (seen: Observation) => Partial<RuleCriteria>>> = {
  hash: ({ hash }) => ({ matchHash: hash !== null && HASH.test(hash) ? hash.toLowerCase() : null }),
  path: ({ path }) => ({ matchPathGlob: literal(usable(path, MOST_PATH)) }),
  name: ({ path }) => ({ matchPathGlob: inEveryFolder(path) }),
  parent: ({ parentImage }) => ({ matchParentImage: usable(parentImage, MOST_PATH) }),
  user: ({ username }) => ({ matchUser: usable(username, MOST_TEXT) }),
  site: ({ place }) => ({ siteId: place.siteId === '' ? null : place.siteId }),
  signer: ({ signer }) => ({ matchSigner: usable(signer, MOST_TEXT) }),
  tool: ({ toolName }) => ({ matchToolName: usable(toolName, MOST_TEXT) }),
  tier: ({ riskTier }) => ({ matchRiskTier: riskTier }),
};

/** The criterion that asks for the fact; null when the request has none that a criterion can hold. */
export function criterionOf(observation: Observation, fact: Fact): Partial<RuleCriteria> | null {
  const criterion = CRITERION[fact](observation);
  return Object.values(criterion).every((value) => value === null) ? null : criterion;
}
