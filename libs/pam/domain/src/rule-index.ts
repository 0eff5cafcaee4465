import type { CriterionKey } from '@gatehouse/contracts-pam';
import { literalFolderOf, literalNameOf } from './path-glob.ts';
import type { Rule } from './rule.ts';
import { compileRule, type Matcher } from './rule-match.ts';
import { type SignerGroups, type SignerSets, signerSetsOf } from './signer-group.ts';
import type { Subject } from './subject.ts';
import { baseNameOf, foldCase, foldPath } from './text.ts';

export interface CompiledRule {
  readonly rule: Rule;
  readonly matches: Matcher;
}

type Facet = 'hash' | 'signer' | 'signerGroup' | 'toolName' | 'pathName' | 'pathFolder' | 'parentName' | 'user' | 'adGroup';

/** The value of a subject without which a rule cannot match, whatever else it asks. */
interface Anchor {
  readonly facet: Facet;
  readonly value: string;
}

type FindAnchor = (rule: Rule) => Anchor | null;

const one = (facet: Facet, value: string | null): Anchor | null => (value === null || value === '' ? null : { facet, value });
const folded = (facet: Facet, value: string | null): Anchor | null => one(facet, value && foldCase(value));
const ofGlob = (glob: string | null): Anchor | null => glob && (one('pathName', literalNameOf(glob)) ?? one('pathFolder', literalFolderOf(glob))) || null;

/** From the most to the least selective. */
const ANCHORS: readonly (readonly [CriterionKey, FindAnchor])[] = [
  ['hash', ({ matchHash }) => folded('hash', matchHash)],
  ['pathGlob', ({ matchPathGlob }) => ofGlob(matchPathGlob)],
  ['signer', ({ matchSigner }) => folded('signer', matchSigner)],
  ['toolName', ({ matchToolName }) => folded('toolName', matchToolName)],
  ['signerGroup', ({ matchSignerGroupId }) => one('signerGroup', matchSignerGroupId)],
  ['parentImage', ({ matchParentImage }) => one('parentName', matchParentImage && baseNameOf(foldPath(matchParentImage)))],
  ['user', ({ matchUser }) => folded('user', matchUser)],
  ['adGroup', ({ matchAdGroup }) => folded('adGroup', matchAdGroup)],
];

/** A negated criterion anchors nothing. */
function anchorOf(rule: Rule): Anchor | null {
  for (const [key, find] of ANCHORS) {
    const anchor = rule.matchNegate?.includes(key) ? null : find(rule);
    if (anchor) return anchor;
  }
  return null;
}

/** The folders that hold the path, of those lengths alone that some rule asks for: a path may have 16 000. */
const foldersOf = (path: string | null, lengths: ReadonlySet<number>): string[] => (path === null ? [] : [...lengths].filter((length) => path[length] === '/').map((length) => path.slice(0, length)));

const groupsOf = (signer: string | null, groups: SignerSets): string[] => (signer === null ? [] : [...groups].flatMap(([id, signers]) => (signers.has(signer) ? [id] : [])));

/** What an index knows of its rules beside their anchors. */
interface Known {
  readonly folderLengths: ReadonlySet<number>;
  /** The signer groups that rules name. */
  readonly groups: SignerSets;
}

const valuesOf: Record<Facet, (subject: Subject, known: Known) => Iterable<string | null>> = {
  hash: ({ hash }) => [hash],
  signer: ({ signer }) => [signer],
  signerGroup: ({ signer }, { groups }) => groupsOf(signer, groups),
  toolName: ({ toolName }) => [toolName],
  pathName: ({ name }) => [name],
  pathFolder: ({ path }, { folderLengths }) => foldersOf(path, folderLengths),
  parentName: ({ parentName }) => [parentName],
  user: ({ username }) => [username],
  adGroup: ({ adGroups }) => adGroups ?? [],
};

/**
 * An organisation's rules in their order, found by what they cannot do without: of a thousand rules a report is held
 * against the few that could match, so that the number of rules hardly costs.
 */
export class RuleIndex {
  private readonly rules: readonly CompiledRule[];
  private readonly anywhere: number[] = [];
  private readonly byFacet = new Map<Facet, Map<string, number[]>>();
  private readonly folderLengths = new Set<number>();
  private readonly groups: SignerSets;

  constructor(rules: readonly Rule[], groups: SignerGroups) {
    const named = new Set(rules.map(({ matchSignerGroupId }) => matchSignerGroupId));
    this.groups = signerSetsOf(new Map([...groups].filter(([id]) => named.has(id))));
    this.rules = rules.map((rule) => ({ rule, matches: compileRule(rule, this.groups) }));
    for (const [position, rule] of rules.entries()) this.file(position, anchorOf(rule));
  }

  get size(): number {
    return this.rules.length;
  }

  /** The rules that could match any of the subjects, in their order. */
  *candidates(subjects: readonly Subject[]): Iterable<CompiledRule> {
    const positions = new Set(this.anywhere);
    for (const subject of subjects) this.collect(subject, positions);
    for (const position of [...positions].sort((a, b) => a - b)) yield this.rules[position]!;
  }

  private file(position: number, anchor: Anchor | null): void {
    if (!anchor) {
      this.anywhere.push(position);
      return;
    }
    const facet = this.byFacet.get(anchor.facet) ?? new Map<string, number[]>();
    this.byFacet.set(anchor.facet, facet);
    if (anchor.facet === 'pathFolder') this.folderLengths.add(anchor.value.length);
    const positions = facet.get(anchor.value);
    if (positions) positions.push(position);
    else facet.set(anchor.value, [position]);
  }

  private collect(subject: Subject, positions: Set<number>): void {
    for (const [facet, byValue] of this.byFacet) {
      for (const value of valuesOf[facet](subject, { folderLengths: this.folderLengths, groups: this.groups })) {
        for (const position of (value !== null && byValue.get(value)) || []) positions.add(position);
      }
    }
  }
}
