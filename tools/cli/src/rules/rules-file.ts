import { type BodyOf, CRITERIA, type DataOf } from '@gatehouse/client';
import { parse, stringify, YAMLParseError } from 'yaml';
import { UsageError } from '../exit-codes.ts';

/** A rule as the file has it: what is left out has its default. */
export type RuleInFile = Omit<BodyOf<'/pam/rules', 'post'>, 'orgId' | 'ownerScope' | 'partnerId'> & {
  readonly id?: string;
};
export type ListedRule = DataOf<'/pam/rules', 'get'>['rules'][number];
/** Whose rules they are: an organisation's, or without one the partner's; without an id, that of the caller. */
export interface Owner {
  readonly orgId?: string | undefined;
  readonly partnerId?: string | undefined;
}

/** The members of a rule, in the order in which the file has them. */
export const MEMBERS = [
  'name',
  'description',
  'verdict',
  'priority',
  'enabled',
  'siteId',
  ...Object.values(CRITERIA),
  'matchNegate',
  'timeWindow',
  'approvalDurationMinutes',
  'mode',
  'expiresAt',
  'precedence',
  'optOut',
] as const satisfies readonly (keyof RuleInFile)[];

const ownerIn = ({ orgId, partnerId }: Owner): readonly [whose: string, option: string] => {
  if (orgId !== undefined) return [`organisation ${orgId}`, `--org ${orgId}`];
  return partnerId === undefined ? ['the partner', '--partner'] : [`partner ${partnerId}`, `--partner-id ${partnerId}`];
};

const headingOf = (owner: Owner): string => {
  const [whose, option] = ownerIn(owner);
  return ` Rules of ${whose}. Write them back with: gatehouse rules apply ${option} --file FILE
 A rule is found by its id, or else by its name. A member that is left out has its default.`;
};

/** The rules as YAML, in the order in which they are tried. */
export function toYaml(owner: Owner, rules: readonly ListedRule[]): string {
  const listed = rules.map((rule) => {
    const members = MEMBERS.map((member) => [member, rule[member]] as const).filter(([, value]) => value !== null);
    return { id: rule.id, ...Object.fromEntries(members) };
  });
  const heading = headingOf(owner)
    .split('\n')
    .map((line) => `#${line}\n`)
    .join('');
  return `${heading}${stringify({ rules: listed }, { lineWidth: 0 })}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function ruleAt(value: unknown, at: number): RuleInFile {
  const place = `rule ${at + 1}`;
  if (!isObject(value)) throw new UsageError(`${place} is not a mapping`);
  const unknown = Object.keys(value).filter((key) => key !== 'id' && !MEMBERS.some((member) => member === key));
  if (unknown.length > 0) throw new UsageError(`${place}: ${unknown.join(', ')} is not known`);
  for (const member of ['name', 'verdict'])
    if (typeof value[member] !== 'string') throw new UsageError(`${place}: ${member} is missing`);
  return value as RuleInFile;
}

/**
 * The rules of a file.
 * @throws UsageError that names what is wrong; the server checks the values
 */
export function fromYaml(text: string): RuleInFile[] {
  try {
    const document: unknown = parse(text);
    if (!isObject(document) || !Array.isArray(document['rules'])) throw new UsageError('the file has no list `rules`');
    return document['rules'].map(ruleAt);
  } catch (error) {
    if (error instanceof YAMLParseError) throw new UsageError(`the file is not YAML: ${error.message}`);
    throw error;
  }
}
