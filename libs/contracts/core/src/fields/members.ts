import type { Issue } from '../problem-error.ts';

/**
 * Whether a value fits a field. A check has no error message: a value that fails it goes to the full validation, which
 * has one.
 */
export type Check = (value: unknown) => boolean;
/** Converts a value that has several spellings to its canonical one; leaves every other value unchanged. */
export type Form = (value: unknown) => unknown;
type Checks = ReadonlyMap<string, Check | null>;
type Forms = ReadonlyMap<string, Form>;

const CHECKS = Symbol('checks');
const FORMS = Symbol('forms');
const PLAIN = Symbol('plain');

/** Stores an entry about a field of a class under `key`; subclasses inherit it. */
export function note<T>(prototype: object, key: symbol, field: string, entry: T): void {
  const known = (Reflect.get(prototype, key) as ReadonlyMap<string, T> | undefined) ?? new Map<string, T>();
  Reflect.defineProperty(prototype, key, { value: new Map([...known, [field, entry]]), configurable: true });
}

/** Registers the check of a field; null for a field that only the full validation can judge. */
export const noteCheck = (prototype: object, field: string, check: Check | null): void =>
  note(prototype, CHECKS, field, check);

/** Registers the canonical form of a field that accepts several; the full validation needs its own registration. */
export const noteForm = (prototype: object, field: string, form: Form): void => note(prototype, FORMS, field, form);

const formed = (prototype: object, field: string, value: unknown): unknown =>
  (Reflect.get(prototype, FORMS) as Forms | undefined)?.get(field)?.(value) ?? value;

/**
 * For DTOs and events that arrive by the thousand: their values are checked in one pass, without the validator library.
 * The class may contain only fields declared with our own decorators.
 */
export const Plain = (): ClassDecorator => (type) => {
  const checks = Reflect.get(type.prototype as object, CHECKS) as Checks | undefined;
  const unfit = [...(checks ?? [])].find(([, check]) => check === null);
  if (!checks || unfit)
    throw new Error(`${type.name} cannot be plain because of ${unfit?.[0] ?? 'its lack of fields'}`);
  Reflect.defineProperty(type, PLAIN, { value: true });
};

/**
 * An instance with only the members of the class; null when the class is not plain, or when the full validation has to
 * report an error.
 */
export function asPlain<T extends object>(type: new () => T, value: unknown): T | null {
  if (!Object.hasOwn(type, PLAIN) || typeof value !== 'object' || value === null) return null;
  const instance = new type();
  for (const [field, check] of Reflect.get(type.prototype as object, CHECKS) as ReadonlyMap<string, Check>) {
    const member: unknown = Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
    if (!check(member)) return null;
    if (member !== undefined) Reflect.set(instance, field, formed(type.prototype as object, field, member));
  }
  return instance;
}

/**
 * A longer name cannot be a misspelling of a known one, and the comparison takes time proportional to the product of
 * both lengths.
 */
const MAX_LENGTH = 64;

/** The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
function distance(left: string, right: string): number {
  let [before, last] = [[] as number[], Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= left.length; row++) {
    const next = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const steps = [last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1)];
      next.push(Math.min(...steps, ...(isSwap ? [before[column - 2]! + 1] : [])));
    }
    [before, last] = [last, next];
  }
  return last[right.length]!;
}

function commonStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

/**
 * The known name most similar to the given one, regardless of letter case; null when no known name shares half of it.
 */
export function nearestName(given: string, known: Iterable<string>): string | null {
  if (given.length > MAX_LENGTH) return null;
  const name = given.toLowerCase();
  const [nearest] = [...known]
    .map((each) => ({ each, steps: distance(name, each.toLowerCase()), start: commonStart(name, each.toLowerCase()) }))
    .filter(({ each, steps }) => steps <= Math.floor(Math.max(name.length, each.length) / 2))
    .sort((one, other) => one.steps - other.steps || other.start - one.start);
  return nearest?.each ?? null;
}

export type DtoClass = () => new () => object;

/**
 * The properties of a member that a closed request checks: the class of the objects in it, and whether it holds several
 * values.
 */
export interface Member {
  readonly nested?: DtoClass;
  readonly isList?: boolean;
}
export type Members = ReadonlyMap<string, Member>;

const MEMBERS = Symbol('members');
const NONE: Members = new Map();
/** The limit of one answer; further issues of a completely wrong body would not help the client. */
const MAX_ISSUES = 50;
const MAX_NAME = 100;

export const noteMember = (prototype: object, name: string, member: Member): void =>
  note(prototype, MEMBERS, name, member);

/** The members that a request of this class accepts. */
export const membersOf = (type: new () => object): Members =>
  (Reflect.get(type.prototype as object, MEMBERS) as Members | undefined) ?? NONE;

/** The members of a class in the order of its declaration. */
export const namesOf = <T extends object>(type: new () => T): (keyof T & string)[] =>
  [...membersOf(type).keys()] as (keyof T & string)[];

/** Those members of an object that the class has, so that a row becomes an answer without a list of its columns. */
export const partOf = <T extends object>(type: new () => T, whole: T): T =>
  Object.fromEntries(namesOf(type).map((name) => [name, whole[name]])) as T;

function messageFor(name: string, members: Members): string {
  const nearest = nearestName(name, members.keys());
  return nearest === null ? 'is not known' : `is not known; did you mean "${nearest}"?`;
}

const pathOf = (prefix: string, name: string): string => `${prefix}${prefix && '.'}${name.slice(0, MAX_NAME)}`;

function* unknownIn(members: Members, value: unknown, path: string): Generator<Issue> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* unknownIn(members, item, pathOf(path, String(index)));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, content] of Object.entries(value)) {
      const member = members.get(name);
      if (!member) yield { path: pathOf(path, name), message: messageFor(name, members) };
      else if (member.nested) yield* unknownIn(membersOf(member.nested()), content, pathOf(path, name));
    }
  }
}

function* wrongIn(members: Members, query: Readonly<Record<string, unknown>>): Generator<Issue> {
  for (const [name, value] of Object.entries(query)) {
    const member = members.get(name);
    if (!member) yield { path: pathOf('', name), message: messageFor(name, members) };
    else if (Array.isArray(value) && !member.isList) yield { path: name, message: 'must be given once' };
  }
}

function firstOf(issues: Generator<Issue>): Issue[] {
  const first: Issue[] = [];
  for (const issue of issues) if (first.push(issue) === MAX_ISSUES) break;
  return first;
}

/** The members of a body, at any depth, that its class does not have; at most 50. Values are not checked. */
export const unknownMembers = (members: Members, body: unknown): Issue[] => firstOf(unknownIn(members, body, ''));

/** The query parameters that a route does not have, and repeated parameters that accept only one value; at most 50. */
export const wrongParameters = (members: Members, query: Readonly<Record<string, unknown>>): Issue[] =>
  firstOf(wrongIn(members, query));
