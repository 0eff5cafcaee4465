import type { HierarchyLevel, PolicyMode } from '@gatehouse/contracts-pam';
import type { Place } from '../matching/observation.ts';
import { PathGlob } from '../matching/path-glob.ts';
import type { SoftwarePolicy, SoftwareRule } from './rule.ts';
import type { Forms, Subject } from '../matching/subject.ts';
import { EXACT, type Folding, foldsAlike, WIDE } from '@gatehouse/windows-paths';

const CLOSEST_FIRST: readonly HierarchyLevel[] = ['device', 'group', 'site', 'organization', 'partner'];

const idsAt: Record<HierarchyLevel, (place: Place) => readonly string[]> = {
  device: ({ deviceId }) => [deviceId],
  group: ({ groupIds }) => groupIds,
  site: ({ siteId }) => [siteId],
  organization: ({ orgId }) => [orgId],
  partner: ({ partnerId }) => [partnerId],
};

type Target = SoftwarePolicy['target'];

/** Whether a device at this place is among those for which a policy was made. */
const covers = ({ level, id }: Target, place: Place): boolean => idsAt[level](place).includes(id);
const rankOf = ({ level }: Target): number => CLOSEST_FIRST.indexOf(level);

/** The policies for a place, in the order in which {@link compilePolicies} tries them. */
export const policiesAt = (place: Place, policies: readonly SoftwarePolicy[]): SoftwarePolicy[] =>
  policies.filter(({ target }) => covers(target, place)).sort((a, b) => rankOf(a.target) - rankOf(b.target));

type Read = (rule: SoftwareRule) => string | null | undefined;

const valuesOf = (rules: readonly SoftwareRule[], read: Read, folding: Folding): ReadonlySet<string> =>
  new Set(
    rules.flatMap((rule) => {
      const value = read(rule);
      return value ? [folding.text(value)] : [];
    }),
  );

const has = (values: ReadonlySet<string>, seen: string | null): boolean => seen !== null && values.has(seen);

/** The values of a policy's lines under one folding. */
class Lines {
  private readonly hashes: ReadonlySet<string>;
  private readonly signers: ReadonlySet<string>;
  private readonly publishers: ReadonlySet<string>;
  private readonly globs: readonly PathGlob[];

  constructor(rules: readonly SoftwareRule[], folding: Folding) {
    this.hashes = valuesOf(rules, ({ sha256 }) => sha256, folding);
    this.signers = valuesOf(rules, ({ signer }) => signer, folding);
    this.publishers = valuesOf(rules, ({ publisher }) => publisher, folding);
    this.globs = rules.flatMap(({ pathGlob }) => (pathGlob ? [new PathGlob(pathGlob, folding)] : []));
  }

  match({ hash, signer, publisher, path, pathGrams, effort }: Subject): boolean {
    effort.spend(1);
    if (has(this.hashes, hash) || has(this.signers, signer) || has(this.publishers, publisher)) return true;
    return path !== null && this.globs.some((glob) => glob.matches(path, effort, pathGrams));
  }
}

const isPlain = ({ signer, publisher, pathGlob }: SoftwareRule): boolean =>
  [signer, publisher, pathGlob].every((text) => foldsAlike(text ?? null));

/** A compiled policy. It matches if any field of any of its lines matches. */
export class CompiledPolicy {
  readonly id: string;
  readonly name: string;
  readonly mode: PolicyMode;
  readonly rank: number;
  readonly target: Target;
  private readonly exact: Lines;
  /** The lines folded widely, for denials; the same object when both foldings agree. */
  private readonly wide: Lines;

  constructor({ id, name, mode, target, rules }: SoftwarePolicy) {
    this.id = id;
    this.name = name;
    this.mode = mode;
    this.target = target;
    this.rank = rankOf(target);
    this.exact = new Lines(rules, EXACT);
    this.wide = mode !== 'blocklist' || rules.every(isPlain) ? this.exact : new Lines(rules, WIDE);
  }

  covers(place: Place): boolean {
    return covers(this.target, place);
  }

  /** @throws EffortExceeded */
  matches(subject: Subject): boolean {
    return this.exact.match(subject);
  }

  /** Whether a blocklist contains any form of the observation. @throws EffortExceeded */
  denies({ exact, wide }: Forms): boolean {
    if (exact.some((subject) => this.exact.match(subject))) return true;
    return (wide !== exact || this.wide !== this.exact) && wide.some((subject) => this.wide.match(subject));
  }
}

/**
 * Compiles policies and sorts them: the narrowest target level first, and the given order (priority, age, id) within a
 * level.
 */
export const compilePolicies = (policies: readonly SoftwarePolicy[]): CompiledPolicy[] =>
  policies.map((policy) => new CompiledPolicy(policy)).sort((a, b) => a.rank - b.rank);
