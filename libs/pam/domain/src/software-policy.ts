import type { HierarchyLevel, PolicyMode } from '@gatehouse/contracts-pam';
import type { Place } from './observation.ts';
import { PathGlob } from './path-glob.ts';
import type { SoftwarePolicy, SoftwareRule } from './rule.ts';
import type { Subject } from './subject.ts';
import { foldCase } from './text.ts';

const CLOSEST_FIRST: readonly HierarchyLevel[] = ['device', 'group', 'site', 'organization', 'partner'];

const idsAt: Record<HierarchyLevel, (place: Place) => readonly string[]> = {
  device: ({ deviceId }) => [deviceId],
  group: ({ groupIds }) => groupIds,
  site: ({ siteId }) => [siteId],
  organization: ({ orgId }) => [orgId],
  partner: ({ partnerId }) => [partnerId],
};

const valuesOf = (rules: readonly SoftwareRule[], read: (rule: SoftwareRule) => string | null | undefined): ReadonlySet<string> =>
  new Set(rules.flatMap((rule) => { const value = read(rule); return value ? [foldCase(value)] : []; }));

const has = (values: ReadonlySet<string>, seen: string | null): boolean => seen !== null && values.has(seen);

/** One policy, ready: any field of any of its lines is enough. */
export class CompiledPolicy {
  readonly id: string;
  readonly name: string;
  readonly mode: PolicyMode;
  readonly rank: number;
  private readonly target: SoftwarePolicy['target'];
  private readonly hashes: ReadonlySet<string>;
  private readonly signers: ReadonlySet<string>;
  private readonly publishers: ReadonlySet<string>;
  private readonly globs: readonly PathGlob[];

  constructor({ id, name, mode, target, rules }: SoftwarePolicy) {
    this.id = id;
    this.name = name;
    this.mode = mode;
    this.target = target;
    this.rank = CLOSEST_FIRST.indexOf(target.level);
    this.hashes = valuesOf(rules, ({ sha256 }) => sha256);
    this.signers = valuesOf(rules, ({ signer }) => signer);
    this.publishers = valuesOf(rules, ({ publisher }) => publisher);
    this.globs = rules.flatMap(({ pathGlob }) => (pathGlob ? [new PathGlob(pathGlob)] : []));
  }

  covers(place: Place): boolean {
    return idsAt[this.target.level](place).includes(this.target.id);
  }

  matches({ hash, signer, publisher, path, effort }: Subject): boolean {
    return has(this.hashes, hash) || has(this.signers, signer) || has(this.publishers, publisher) || (path !== null && this.globs.some((glob) => glob.matches(path, effort)));
  }
}

/** The closest target first; the order given (priority, age, id) within one level. */
export const compilePolicies = (policies: readonly SoftwarePolicy[]): CompiledPolicy[] =>
  policies.map((policy) => new CompiledPolicy(policy)).sort((a, b) => a.rank - b.rank);
