import { PROPOSAL_LEVELS, type ProposalLevel, type Verdict } from '@gatehouse/contracts-pam';
import { baseNameOf, foldPath, presentOrNull } from '@gatehouse/windows-paths';
import type { Observation } from '../matching/observation.ts';
import { isSuspicious } from '../matching/suspicion.ts';
import { checkRuleShape } from '../rules/rule-shape.ts';
import { NO_CRITERIA, type RuleCriteria } from '../rules/rule.ts';
import type { ToolCatalog } from '../tools/risk-tier.ts';

/** What a request can give to a rule as a criterion. */
type Fact = 'hash' | 'path' | 'name' | 'parent' | 'user' | 'site' | 'signer' | 'tool' | 'tier';

const MAX_TEXT = 255;
const MAX_PATH = 1024;
const HASH = /^[0-9a-f]{64}$/i;
/** A glob has no way to write these two literally. */
const WILD = /[*?]/;

/** A text that a criterion can hold as it is; null for others. */
const usable = (text: string | null, most: number): string | null =>
  text !== null && text !== '' && text === text.trim() && text.length <= most ? text : null;

const literal = (path: string | null): string | null => (path === null || WILD.test(path) ? null : path);

function inEveryFolder(path: string | null): string | null {
  const name = path === null ? '' : path.slice(path.length - baseNameOf(foldPath(path)).length);
  return name === '' ? null : literal(name) && usable(`**/${name}`, MAX_PATH);
}

const CRITERION: Readonly<Record<Fact, (seen: Observation) => Partial<RuleCriteria>>> = {
  hash: ({ hash }) => ({ matchHash: hash !== null && HASH.test(hash) ? hash.toLowerCase() : null }),
  path: ({ path }) => ({ matchPathGlob: literal(usable(path, MAX_PATH)) }),
  name: ({ path }) => ({ matchPathGlob: inEveryFolder(path) }),
  parent: ({ parentImage }) => ({ matchParentImage: usable(parentImage, MAX_PATH) }),
  user: ({ username }) => ({ matchUser: usable(username, MAX_TEXT) }),
  site: ({ place }) => ({ siteId: place.siteId === '' ? null : place.siteId }),
  signer: ({ signer }) => ({ matchSigner: usable(signer, MAX_TEXT) }),
  tool: ({ toolName }) => ({ matchToolName: usable(toolName, MAX_TEXT) }),
  tier: ({ riskTier }) => ({ matchRiskTier: riskTier }),
};

/** The criterion that asks for the fact; null when the request has none that a criterion can hold. */
function criterionOf(observation: Observation, fact: Fact): Partial<RuleCriteria> | null {
  const criterion = CRITERION[fact](observation);
  return Object.values(criterion).every((value) => value === null) ? null : criterion;
}

export interface ProposedRule extends RuleCriteria {
  readonly name: string;
  readonly verdict: Verdict;
  readonly expiresAt: Date | null;
}

/** A rule made from a request, or the reason why there is none. */
export interface Proposal {
  readonly level: ProposalLevel;
  readonly rule: ProposedRule | null;
  readonly why: string | null;
  readonly whyNot: string | null;
}

/** What a proposal asks for. */
interface Width {
  /** Without each of these there is no proposal. */
  readonly needs: readonly Fact[];
  /** Asked for where the request has them. */
  readonly takes?: readonly Fact[];
  /** Without this the rule leaves its requests to a person; null: it always does. */
  readonly grantsWith?: Fact | null;
}

type Widths = Readonly<Record<ProposalLevel, Width | null>>;

const SIGNED: Widths = {
  strict: { needs: ['hash'], takes: ['path', 'parent'] },
  balanced: { needs: ['signer'], takes: ['name', 'parent'], grantsWith: 'name' },
  broad: { needs: ['signer'], grantsWith: null },
};
const UNSIGNED: Widths = {
  strict: { needs: ['hash'], takes: ['path', 'user'] },
  balanced: { needs: ['hash'] },
  broad: null,
};
const TOOL_ACTION: Widths = {
  strict: { needs: ['tool', 'tier', 'user'] },
  balanced: { needs: ['tool', 'tier'] },
  broad: { needs: ['tool'] },
};
const TECHNICIAN: Widths = { strict: { needs: ['user', 'site'] }, balanced: { needs: ['user'] }, broad: null };

function widthsOf({ flowType, signer }: Observation): Widths {
  if (flowType === 'ai_tool_action') return TOOL_ACTION;
  if (flowType === 'tech_jit_admin') return TECHNICIAN;
  return presentOrNull(signer) === null ? UNSIGNED : SIGNED;
}

const WORDS: Readonly<Record<Fact, string>> = {
  hash: 'hash',
  path: 'path',
  name: 'file name',
  parent: 'parent program',
  user: 'user',
  site: 'site',
  signer: 'signer',
  tool: 'tool',
  tier: 'risk tier',
};
const listed = (facts: readonly Fact[]): string =>
  facts
    .map((fact) => WORDS[fact])
    .reduce((all, word, at) => (at === facts.length - 1 ? `${all} and ${word}` : `${all}, ${word}`));

const DAY_MS = 86_400_000;
/** A proposed approval ends, so that a colleague looks at it again. */
const APPROVAL_DAYS = 180;
const NAME_LETTERS = 100;

function nameOf({ path, toolName, username }: Observation, level: ProposalLevel): string {
  const subject = presentOrNull(path && baseNameOf(path.replaceAll('\\', '/'))) ?? toolName ?? username ?? '';
  const shown = [...subject.trim()].slice(0, NAME_LETTERS).join('');
  return `${shown === '' ? 'Request' : shown} (${level})`;
}

export interface Wish {
  readonly verdict: Verdict;
  readonly catalog: ToolCatalog;
  readonly at: Date;
}

const IS_LENIENT: readonly Verdict[] = ['auto_approve', 'ignore'];
const none = (level: ProposalLevel, whyNot: string): Proposal => ({ level, rule: null, why: null, whyNot });

function proposal(observation: Observation, level: ProposalLevel, width: Width, wish: Wish): Proposal {
  const { needs, takes = [], grantsWith } = width;
  const missing = needs.filter((fact) => criterionOf(observation, fact) === null);
  if (missing.length > 0) return none(level, `The request has no usable ${listed(missing)}.`);
  const asked = [...needs, ...takes].filter((fact) => criterionOf(observation, fact) !== null);
  const isTrusted = grantsWith === undefined || (grantsWith !== null && asked.includes(grantsWith));
  const isHeld = !isTrusted && IS_LENIENT.includes(wish.verdict);
  const verdict = isHeld ? 'require_approval' : wish.verdict;
  const criteria: RuleCriteria = Object.assign({}, NO_CRITERIA, ...asked.map((fact) => criterionOf(observation, fact)));
  const fault = checkRuleShape({ ...criteria, verdict }, wish.catalog);
  if (fault) return none(level, fault.message);
  const expiresAt = verdict === 'auto_approve' ? new Date(wish.at.getTime() + APPROVAL_DAYS * DAY_MS) : null;
  const why = `Matches requests with the same ${listed(asked)}.`;
  return {
    level,
    rule: { ...criteria, name: nameOf(observation, level), verdict, expiresAt },
    why: isHeld ? `${why} A signer is no proof of a program, so a person decides.` : why,
    whyNot: null,
  };
}

/** Rules of three widths that match the request, the narrowest first. */
export function proposalsOf(observation: Observation, wish: Wish): Proposal[] {
  const isRefused = wish.verdict !== 'auto_deny' && isSuspicious(observation);
  const widths = widthsOf(observation);
  return PROPOSAL_LEVELS.map((level) => {
    if (isRefused) return none(level, 'The request disguises what it is about, so only its denial is proposed.');
    const width = widths[level];
    return width ? proposal(observation, level, width, wish) : none(level, 'Such a rule would let too much through.');
  });
}
