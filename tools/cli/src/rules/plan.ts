import { UsageError } from '../exit-codes.ts';
import { type ListedRule, MEMBERS, type RuleInFile } from './rules-file.ts';

export type Change =
  | { readonly kind: 'create'; readonly rule: RuleInFile }
  | { readonly kind: 'update'; readonly id: string; readonly name: string; readonly members: Partial<RuleInFile> }
  | { readonly kind: 'delete'; readonly id: string; readonly name: string };

/** Without a value in the file, these stay as they are; all others get their default. */
const STAYS = ['priority', 'precedence'];
const DEFAULTS: Readonly<Record<string, unknown>> = { enabled: true, mode: 'live' };
const PARTNER_DEFAULTS: Readonly<Record<string, unknown>> = { ...DEFAULTS, optOut: 'none' };
const defaultOf = ({ ownerScope }: ListedRule, member: string): unknown =>
  (ownerScope === 'partner' ? PARTNER_DEFAULTS : DEFAULTS)[member] ?? null;

const normal = (member: string, value: unknown): string =>
  JSON.stringify(member === 'matchHash' && typeof value === 'string' ? value.toLowerCase() : (value ?? null));

/** The members of the existing rule that the file gives another value. */
function differences(existing: ListedRule, wanted: RuleInFile): Partial<RuleInFile> {
  const changed = MEMBERS.flatMap((member) => {
    const value: unknown = wanted[member];
    if (value === undefined && STAYS.includes(member)) return [];
    const next = value ?? defaultOf(existing, member);
    return normal(member, next) === normal(member, existing[member]) ? [] : [[member, next]];
  });
  return Object.fromEntries(changed) as Partial<RuleInFile>;
}

function existingFor(wanted: RuleInFile, rules: readonly ListedRule[]): ListedRule | undefined {
  if (wanted.id !== undefined) {
    const found = rules.find(({ id }) => id === wanted.id);
    if (!found) throw new UsageError(`${wanted.name}: there is no rule ${wanted.id}`);
    return found;
  }
  const named = rules.filter(({ name }) => name === wanted.name);
  if (named.length > 1) throw new UsageError(`${wanted.name}: several rules have this name, so give the id`);
  return named[0];
}

/**
 * The changes that make the rules of an organisation, or of a partner, those of the file.
 * @param prune whether to delete rules that the file does not have
 * @throws UsageError if the file names a rule twice, or one that does not exist
 */
export function plan(rules: readonly ListedRule[], wanted: readonly RuleInFile[], prune: boolean): Change[] {
  const taken = new Set<string>();
  const changes = wanted.flatMap((rule): Change[] => {
    const existing = existingFor(rule, rules);
    if (!existing) return [{ kind: 'create', rule }];
    if (taken.has(existing.id)) throw new UsageError(`${rule.name}: the file has this rule twice`);
    taken.add(existing.id);
    const members = differences(existing, rule);
    return Object.keys(members).length === 0 ? [] : [{ kind: 'update', id: existing.id, name: rule.name, members }];
  });
  const left = prune ? rules.filter(({ id }) => !taken.has(id)) : [];
  return [...changes, ...left.map(({ id, name }): Change => ({ kind: 'delete', id, name }))];
}

/** A change as one line. */
export function lineOf(change: Change): string {
  if (change.kind === 'create') return `create ${change.rule.name}`;
  if (change.kind === 'delete') return `delete ${change.name}`;
  return `update ${change.name}: ${Object.keys(change.members).join(', ')}`;
}
