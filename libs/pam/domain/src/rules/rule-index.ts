import type { CriterionKey } from '@gatehouse/contracts-pam';
import { GramIndex } from '../matching/grams.ts';
import { literalFolderOf, literalNameOf, literalsOf } from '../matching/path-glob.ts';
import type { Rule } from './rule.ts';
import { checkableDenial, checkableRule, type Denial, type Matcher, type RuleCheck } from './rule-match.ts';
import { type SignerGroups, type SignerSets, signerSetsOf } from './signer-group.ts';
import type { Subject } from '../matching/subject.ts';
import { baseNameOf, EXACT, type Folding, foldsAlike, isAscii, WIDE } from '@gatehouse/windows-paths';

export interface CompiledRule {
  readonly rule: Rule;
  readonly matches: Matcher;
  /** The rule as a denial; null for other verdicts. */
  readonly denies: Denial | null;
  /** The tests of the rule one by one. */
  readonly checks: () => readonly RuleCheck[];
}

type Facet =
  'hash' | 'signer' | 'signerGroup' | 'toolName' | 'pathName' | 'pathFolder' | 'parentName' | 'user' | 'adGroup';

/** A value that a subject must have for the rule to match, whatever its other criteria. */
interface Anchor {
  readonly facet: Facet;
  readonly value: string;
}

type FindAnchor = (rule: Rule, folding: Folding) => Anchor | null;

const one = (facet: Facet, value: string | null): Anchor | null =>
  value === null || value === '' ? null : { facet, value };
const ofText = (facet: Facet, value: string | null, { text }: Folding): Anchor | null =>
  one(facet, value && text(value));
const ofImage = (image: string | null, { path }: Folding): Anchor | null =>
  one('parentName', image && baseNameOf(path(image)));
const ofGlob = (glob: string | null, folding: Folding): Anchor | null =>
  (glob && (one('pathName', literalNameOf(glob, folding)) ?? one('pathFolder', literalFolderOf(glob, folding)))) ||
  null;

/** Kinds of anchors, the most selective first. */
const ANCHORS: readonly (readonly [CriterionKey, FindAnchor])[] = [
  ['hash', ({ matchHash }, folding) => ofText('hash', matchHash, folding)],
  ['pathGlob', ({ matchPathGlob }, folding) => ofGlob(matchPathGlob, folding)],
  ['signer', ({ matchSigner }, folding) => ofText('signer', matchSigner, folding)],
  ['toolName', ({ matchToolName }, folding) => ofText('toolName', matchToolName, folding)],
  ['signerGroup', ({ matchSignerGroupId }) => one('signerGroup', matchSignerGroupId)],
  ['parentImage', ({ matchParentImage }, folding) => ofImage(matchParentImage, folding)],
  ['user', ({ matchUser }, folding) => ofText('user', matchUser, folding)],
  ['adGroup', ({ matchAdGroup }, folding) => ofText('adGroup', matchAdGroup, folding)],
];

/** A negated criterion cannot be an anchor. */
function anchorOf(rule: Rule, folding: Folding): Anchor | null {
  for (const [key, find] of ANCHORS) {
    const anchor = rule.matchNegate?.includes(key) ? null : find(rule, folding);
    if (anchor) return anchor;
  }
  return null;
}

/** One step pays for this many characters when a folder is cut out and looked up. */
const CHARACTERS_PER_STEP = 8;

/** The folders that contain the path, limited to the lengths that rules use: a path may have 16 000 folders. */
function foldersOf({ path, effort }: Subject, lengths: ReadonlySet<number>): string[] {
  if (path === null) return [];
  effort.spend(lengths.size);
  const held: string[] = [];
  for (const length of lengths) {
    if (path[length] !== '/') continue;
    effort.spend(Math.ceil(length / CHARACTERS_PER_STEP));
    held.push(path.slice(0, length));
  }
  return held;
}

function groupsOf({ signer, effort }: Subject, groups: SignerSets): string[] {
  if (signer === null) return [];
  effort.spend(groups.size);
  return [...groups].flatMap(([id, signers]) => (signers.has(signer) ? [id] : []));
}

/** Facts of the rules that the index needs besides their anchors. */
interface Known {
  readonly folderLengths: ReadonlySet<number>;
  /** The signer groups that the rules refer to. */
  readonly groups: SignerSets;
}

const valuesOf: Record<Facet, (subject: Subject, known: Known) => Iterable<string | null>> = {
  hash: ({ hash }) => [hash],
  signer: ({ signer }) => [signer],
  signerGroup: (subject, { groups }) => groupsOf(subject, groups),
  toolName: ({ toolName }) => [toolName],
  pathName: ({ name }) => [name],
  pathFolder: (subject, { folderLengths }) => foldersOf(subject, folderLengths),
  parentName: ({ parentName }) => [parentName],
  user: ({ username }) => [username],
  adGroup: ({ adGroups }) => adGroups ?? [],
};

/** The positions of rules, indexed by anchor. */
class Anchored {
  private readonly byFacet = new Map<Facet, Map<string, number[]>>();
  private readonly folderLengths = new Set<number>();

  private readonly byCommandPart = new GramIndex();
  private readonly byPathPart = new GramIndex();

  constructor(
    private readonly groups: SignerSets,
    private readonly folding: Folding,
  ) {}

  /** @returns false for a rule without an anchor, which could match any subject */
  file(position: number, rule: Rule): boolean {
    const anchor = anchorOf(rule, this.folding);
    if (anchor) this.fileAt(position, anchor);
    return anchor !== null || this.fileByPart(position, rule);
  }

  /**
   * ASCII only: in other scripts the last character of a part may combine with the one that follows when it is folded
   * widely.
   */
  private fileByPart(position: number, { matchCommandLine, matchPathGlob, matchNegate }: Rule): boolean {
    const { text, path } = this.folding;
    const isUsable = (part: string | null, key: CriterionKey): part is string =>
      part !== null && isAscii(part) && !matchNegate?.includes(key);
    if (isUsable(matchCommandLine, 'commandLine') && this.byCommandPart.file(position, [text(matchCommandLine)]))
      return true;
    return isUsable(matchPathGlob, 'pathGlob') && this.byPathPart.file(position, literalsOf(path(matchPathGlob)));
  }

  private fileAt(position: number, { facet, value }: Anchor): void {
    const byValue = this.byFacet.get(facet) ?? new Map<string, number[]>();
    this.byFacet.set(facet, byValue);
    if (facet === 'pathFolder') this.folderLengths.add(value.length);
    const positions = byValue.get(value);
    if (positions) positions.push(position);
    else byValue.set(value, [position]);
  }

  /** Adds the positions of the rules that may match the subject. @throws EffortExceeded */
  collect(subject: Subject, all: number[]): void {
    const add = (positions: readonly number[]): void => {
      subject.effort.spend(positions.length * ORDER_STEPS);
      for (const position of positions) all.push(position);
    };
    for (const [facet, byValue] of this.byFacet) {
      for (const value of valuesOf[facet](subject, { folderLengths: this.folderLengths, groups: this.groups })) {
        add((value !== null && byValue.get(value)) || []);
      }
    }
    this.byCommandPart.lookUp(subject.commandLine, subject.effort, add);
    this.byPathPart.lookUp(subject.path, subject.effort, add);
  }
}

/** Steps for sorting one more rule. */
const ORDER_STEPS = 12;

/** Merges two sorted lists into a sorted one. */
function merged(one: readonly number[], other: readonly number[]): readonly number[] {
  if (other.length === 0) return one;
  const all: number[] = [];
  for (let left = 0, right = 0; left < one.length || right < other.length;) {
    if ((one[left] ?? Infinity) < (other[right] ?? Infinity)) all.push(one[left++]!);
    else all.push(other[right++]!);
  }
  return all;
}

/**
 * An index of an organisation's rules: a report is compared only with the few rules that may match it, so the cost
 * hardly depends on the number of rules.
 */
export class RuleIndex {
  /** Whether any rule denies, so that the widely folded forms of the observation are needed. */
  readonly hasDenials: boolean;
  /** In their order. */
  readonly rules: readonly CompiledRule[];
  private readonly anywhere: number[] = [];
  private readonly anchored: Anchored;
  /** The rules that deny, by widely folded anchors. */
  private readonly denials: Anchored;
  private readonly groups: SignerSets;
  private readonly wideGroups: SignerSets;

  constructor(rules: readonly Rule[], groups: SignerGroups) {
    const names = new Set(rules.map(({ matchSignerGroupId }) => matchSignerGroupId));
    const named = new Map([...groups].filter(([id]) => names.has(id)));
    this.groups = signerSetsOf(named);
    this.wideGroups = [...named.values()].flat().every(foldsAlike) ? this.groups : signerSetsOf(named, WIDE);
    this.anchored = new Anchored(this.groups, EXACT);
    this.denials = new Anchored(bothOf(this.groups, this.wideGroups), WIDE);
    this.rules = rules.map((rule) => this.compiled(rule));
    this.hasDenials = this.rules.some(({ denies }) => denies !== null);
    for (const [position, rule] of rules.entries()) this.file(position, rule);
  }

  get size(): number {
    return this.rules.length;
  }

  /**
   * The rules that may match any of the subjects, in their order.
   * @param wide further subjects, compared with rules that deny only
   * @throws EffortExceeded
   */
  *candidates(subjects: readonly Subject[], wide: readonly Subject[] = []): Iterable<CompiledRule> {
    const found: number[] = [];
    for (const subject of subjects) this.anchored.collect(subject, found);
    if (this.hasDenials) for (const subject of new Set([...subjects, ...wide])) this.denials.collect(subject, found);
    const positions = found.length > 1 ? [...new Set(found)].sort((a, b) => a - b) : found;
    for (const position of merged(this.anywhere, positions)) yield this.rules[position]!;
  }

  private compiled(rule: Rule): CompiledRule {
    const { test: matches, checks } = checkableRule(rule, this.groups);
    if (rule.verdict !== 'auto_deny') return { rule, matches, denies: null, checks };
    const denial = checkableDenial(rule, this.groups, this.wideGroups);
    return { rule, matches, denies: denial.test, checks: denial.checks };
  }

  private file(position: number, rule: Rule): void {
    const anchored = rule.verdict === 'auto_deny' ? this.denials : this.anchored;
    if (!anchored.file(position, rule)) this.anywhere.push(position);
  }
}

/** A signer belongs to a group if either its exact or its wide form does. */
const bothOf = (exact: SignerSets, wide: SignerSets): SignerSets =>
  exact === wide
    ? exact
    : new Map([...exact].map(([id, signers]) => [id, new Set([...signers, ...(wide.get(id) ?? [])])]));
