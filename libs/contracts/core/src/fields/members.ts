import { nearestName } from './nearest-name.ts';
import { note } from './plain.ts';
import type { Issue } from '../problem-error.ts';

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
