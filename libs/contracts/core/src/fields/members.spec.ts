import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import {
  Flag,
  membersOf,
  nearestName,
  Nested,
  NestedList,
  PageQuery,
  Text,
  Unread,
  unknownMembers,
  Uuid,
  UuidList,
  wrongParameters,
} from '../index.ts';

describe('members of a closed request', () => {
  it('ATK-09a: are those of its class and of the classes that it builds on', () => {
    expect(
      pathsIn({ orgId: 1, enabled: 1, siteIds: 'x', inner: { matchHash: 1 }, list: [{ matchHash: 1 }], echo: {} }),
    ).toEqual([]);
    expect([pathsIn(undefined), pathsIn(null), pathsIn([]), pathsIn('x')]).toEqual([[], [], [], []]);
  });

  it('ATK-09b: are named by their path when they are unknown, at any depth and in lists', () => {
    const body: unknown = JSON.parse(
      '{"siteids":[],"inner":{"matchHahs":1},"list":[{"matchHash":1},{"x":1,"toString":1}],"hasOwnProperty":1}',
    );
    expect(pathsIn(body)).toEqual(['siteids', 'inner.matchHahs', 'list.1.x', 'list.1.toString', 'hasOwnProperty']);
    expect(
      unknownMembers(membersOf(Sample), body)
        .slice(0, 3)
        .map(({ message }) => message),
    ).toEqual(['is not known; did you mean "siteIds"?', 'is not known; did you mean "matchHash"?', 'is not known']);
  });

  it('ATK-09c: are listed up to fifty, and long names in part', () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`x${at}${'y'.repeat(500)}`, 1]));
    const issues = unknownMembers(membersOf(Sample), many);
    expect([issues.length, Math.max(...issues.map(({ path }) => path.length))]).toEqual([50, 100]);
  });

  it('ATK-09d: of a query are refused when they are unknown, or given twice for one value', () => {
    const members = membersOf(Query);
    expect(wrongParameters(members, { orgId: 'x', ids: ['a', 'b'], page: '1', limit: '2' })).toEqual([]);
    expect(wrongParameters(members, { orgid: 'x', page: ['1', '2'] })).toEqual([
      { path: 'orgid', message: 'is not known; did you mean "orgId"?' },
      { path: 'page', message: 'must be given once' },
    ]);
  });
});

describe('the nearest name', () => {
  it.each([
    ['maxUses', ['name', 'maxUsage', 'orgId'], 'maxUsage'],
    ['actor', ['action', 'actorId'], 'actorId'],
    ['ORGID', ['orgId'], 'orgId'],
    ['orgId', ['name', 'permissions', 'expiresAt'], null],
    ['', ['name'], null],
  ])('of %j among %j is %j', (given, known, nearest) => expect(nearestName(given, known)).toBe(nearest));

  it('is not looked for when the name is longer than any of ours', () =>
    expect(nearestName('x'.repeat(5_000), ['x'])).toBeNull());
});

class Inner {
  @Text({ max: 9 }) matchHash!: string;
}

class Base {
  @UuidList({ maxItems: 2, optional: true }) siteIds?: string[];
}

class Sample extends Base {
  @Uuid() orgId!: string;
  @Flag({ optional: true }) enabled?: boolean;
  @Nested(() => Inner, { optional: true }) inner?: Inner;
  @NestedList(() => Inner, { maxItems: 3, optional: true }) list?: Inner[];
  @Unread('for the sake of the test') echo?: string;
}

class Query extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
  @UuidList({ maxItems: 2, optional: true }) ids?: string[];
}

const pathsIn = (body: unknown): string[] => unknownMembers(membersOf(Sample), body).map(({ path }) => path);
