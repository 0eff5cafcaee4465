import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import {
  clamp,
  Code,
  Email,
  Flag,
  Instant,
  isInstant,
  JsonObject,
  Nested,
  PageQuery,
  Pasted,
  Text,
  TextList,
  Uuid,
  UuidList,
  Whole,
} from '../index.ts';

describe('fields', () => {
  it.each([
    { text: 'abcde' },
    { text: '👍👍👍👍👍' },
    { text: null },
    {},
    { id: '01900000-0000-7000-8000-000000000001' },
    { flag: false },
    { minutes: 1440 },
    { at: '2026-02-28T23:59:59.999Z' },
    { at: '2026-02-28T23:59+02:00' },
    { email: 'a@b.example' },
    { list: ['a', 'b'] },
    { settings: {} },
    { inner: { code: 'a' } },
  ])('take %j', (body) => expect(faultsOf(body)).toEqual([]));

  it.each([
    [{ pasted: '\u00a0 abcde\r\n' }, { pasted: 'abcde' }],
    [{ pasted: '\ufeff\u200babc\u0085\u2028' }, { pasted: 'abc' }],
    [{ code: ' 123 456\n' }, { code: '123456' }],
    [{ code: '12\u00a034\u200956' }, { code: '123456' }],
    [{ code: ' AB-CD ' }, { code: 'AB-CD' }],
    [{ host: '\tPC 1 ' }, { host: 'PC 1' }],
    [{ email: ' Jo@B\u00fccher.example\r\n' }, { email: 'Jo@xn--bcher-kva.example' }],
  ])('hold %j as %j (FIELD-05, SSO-80)', (body, held) =>
    expect([faultsOf(body), plainToInstance(Sample, body)]).toEqual([[], held]),
  );

  it.each([
    { pasted: 'a b' },
    { pasted: 'a\u00a0b' },
    { pasted: 'a\r\nb' },
    { pasted: 'a\u200bb' },
    { pasted: ' \n ' },
    { code: 'AB CD' },
    { email: 'a b@corp.example' },
  ])('refuse blanks inside %j (FIELD-05, SSO-80)', (body) => expect(faultsOf(body)).toEqual(Object.keys(body)));

  it.each([
    { text: '' },
    { text: '  ' },
    { text: 'abcdef' },
    { text: 'a\0' },
    { text: '\ud800' },
    { text: 5 },
    { text: ['a'] },
    { id: 'x' },
    { id: null },
    { id: ['01900000-0000-7000-8000-000000000001'] },
    { ids: ['x'] },
    { ids: [5] },
    { flag: 'false' },
    { flag: 0 },
    { minutes: 0 },
    { minutes: 1441 },
    { minutes: 1.5 },
    { minutes: '15' },
    { minutes: null },
    { minutes: true },
    { minutes: Infinity },
    { at: '2024-02-30T00:00:00Z' },
    { at: '2026-01-01' },
    { at: 'now' },
    { at: 5 },
    { at: '+300000-01-01T00:00:00Z' },
    { email: 'a' },
    { email: ['a@b.example'] },
    { list: 'a' },
    { list: ['a', 'b', 'c'] },
    { list: ['abcd'] },
    { settings: [] },
    { settings: 'x' },
    { inner: 'x' },
    { inner: { code: '' } },
    { inner: null },
  ])('refuse %j', (body) => expect(faultsOf(body)).toEqual(Object.keys(body)));

  it('hold ids in lower case, as the server writes them', () => {
    const id = '01900000-0000-7000-8000-00000000000A';
    expect(plainToInstance(Sample, { id, ids: [id], text: id })).toEqual({
      id: id.toLowerCase(),
      ids: [id.toLowerCase()],
      text: id,
    });
  });

  it('keep a free object as it was sent, with members named as something that every object has', () => {
    const settings: unknown = JSON.parse('{"toString":1,"a":[{"valueOf":null,"hasOwnProperty":"x"}]}');
    expect(JSON.stringify(plainToInstance(Sample, { settings }).settings)).toBe(JSON.stringify(settings));
  });

  it('know the days of each month', () => {
    expect(
      ['2024-02-29T00:00:00Z', '2023-02-29T00:00:00Z', '2026-04-31T00:00:00Z', '2026-13-01T00:00:00Z'].map(isInstant),
    ).toEqual([true, false, false, false]);
  });
});

describe('PageQuery', () => {
  it.each([
    [{}, 1, 50],
    [{ page: '0', limit: '0' }, 1, 1],
    [{ page: '-1', limit: '101' }, 1, 100],
    [{ page: 'NaN', limit: 'x' }, 1, 50],
    [{ page: '9223372036854775807', limit: '1e309' }, 2 ** 31 - 1, 100],
  ])('clamps %j', (query, page, limit) => {
    expect(plainToInstance(PageQuery, query)).toMatchObject({ page, limit });
  });

  it('truncates fractions', () => expect(clamp('2.9', 1, 100, 50)).toBe(2));
});

class Inner {
  @Text({ min: 1, max: 3 }) code!: string;
}

class Sample {
  @Text({ min: 1, max: 5, optional: true, nullable: true }) text?: string | null;
  @Uuid({ optional: true }) id?: string;
  @UuidList({ maxItems: 2, optional: true }) ids?: string[];
  @Flag({ optional: true }) flag?: boolean;
  @Whole({ min: 1, max: 1440, optional: true }) minutes?: number;
  @Instant({ optional: true }) at?: string;
  @Email({ optional: true }) email?: string;
  @Pasted({ min: 1, max: 5, optional: true }) pasted?: string;
  @Code({ max: 9, optional: true }) code?: string;
  @Text({ max: 9, optional: true, trim: true }) host?: string;
  @TextList({ max: 3, maxItems: 2, optional: true }) list?: string[];
  @JsonObject({ optional: true }) settings?: object;
  @Nested(() => Inner, { optional: true }) inner?: Inner;
}

const faultsOf = (body: object): string[] =>
  validateSync(plainToInstance(Sample, body), { forbidUnknownValues: false }).map(({ property }) => property);
