import type { CriterionKey } from '@gatehouse/contracts-pam';
import { literalFolderOf, literalNameOf } from './path-glob.ts';
import type { Rule } from './rule.ts';
import { compileRule, type Matcher, type SignerGroups } from './rule-match.ts';
import type { Subject } from './subject.ts';
import { baseNameOf, foldCase, foldPath } from './text.ts';

export interface CompiledRule {
  readonly rule: Rule;
  readonly matches: Matcher;
}

type Facet = 'hash' | 'signer' | 'toolName' | 'pathName' | 'pathFolder' | 'parentName' | 'user' | 'adGroup';

/** The value of a subject without which a rule cannot match, whatever else it asks. */
interface Anchor {
  readonly facet: Facet;
  readonly values: readonly string[];
}

type FindAnchor = (rule: Rule, groups: SignerGroups) => Anchor | null;

const one = (facet: Facet, value: string | null): Anchor | null => (value === null || value === '' ? null : { facet, values: [value] });
const folded = (facet: Facet, value: string | null): Anchor | null => one(facet, value && foldCase(value));
const ofGlob = (glob: string | null): Anchor | null => glob && (one('pathName', literalNameOf(glob)) ?? one('pathFolder', literalFolderOf(glob))) || null;
const ofGroup = (id: string | null, groups: SignerGroups): Anchor | null => id === null ? null : { facet: 'signer', values: (groups.get(id) ?? []).map(foldCase) };

/** From the most to the least selective. */
const ANCHORS: readonly (readonly [CriterionKey, FindAnchor])[] = [
  ['hash', ({ matchHash }) => folded('hash', matchHash)],
  ['pathGlob', ({ matchPathGlob }) => ofGlob(matchPathGlob)],
  ['signer', ({ matchSigner }) => folded('signer', matchSigner)],
  ['toolName', ({ matchToolName }) => folded('toolName', matchToolName)],
  ['signerGroup', ({ matchSignerGroupId }, groups) => ofGroup(matchSignerGroupId, groups)],
  ['parentImage', ({ matchParentImage }) => one('parentName', matchParentImage && baseNameOf(foldPath(matchParentImage)))],
  ['user', ({ matchUser }) => folded('user', matchUser)],
  ['adGroup', ({ matchAdGroup }) => folded('adGroup', matchAdGroup)],
];

/** A negated criterion anchors nothing. */
function anchorOf(rule: Rule, groups: SignerGroups): Anchor | null {
  for (const [key, find] of ANCHORS) {
    const anchor = rule.matchNegate?.includes(key) ? null : find(rule, groups);
    if (anchor) return anchor;
  }
  return null;
}

/** The folders that hold the path, of those lengths alone that some rule asks for: a path may have 16 000. */
const foldersOf = (path: string | null, lengths: ReadonlySet<number>): string[] => (path === null ? [] : [...lengths].filter((length) => path[length] === '/').map((length) => path.slice(0, length)));

const valuesOf: Record<Facet, (subject: Subject, folderLengths: ReadonlySet<number>) => Iterable<string | null>> = {
  hash: ({ hash }) => [hash],
  signer: ({ signer }) => [signer],
  toolName: ({ toolName }) => [toolName],
  pathName: ({ name }) => [name],
  pathFolder: ({ path }, lengths) => foldersOf(path, lengths),
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

  constructor(rules: readonly Rule[], groups: SignerGroups) {
    this.rules = rules.map((rule) => ({ rule, matches: compileRule(rule, groups) }));
    for (const [position, rule] of rules.entries()) this.file(position, anchorOf(rule, groups));
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
    for (const value of new Set(anchor.values)) {
      if (anchor.facet === 'pathFolder') this.folderLengths.add(value.length);
      const positions = facet.get(value);
      if (positions) positions.push(position);
      else facet.set(value, [position]);
    }
  }

  private collect(subject: Subject, positions: Set<number>): void {
    for (const [facet, byValue] of this.byFacet) {
      for (const value of valuesOf[facet](subject, this.folderLengths)) {
        for (const position of (value !== null && byValue.get(value)) || []) positions.add(position);
      }
    }
  }
}
