import { describe, expect, it } from '@jest/globals';
import { parseJson } from './json-body.ts';

const membersOf = (count: number, value: unknown = 1): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('a JSON body', () => {
  it.each([
    [
      'an import of 1000 rows with 200 values each',
      { rows: Array.from({ length: 1_000 }, () => ({ hostname: 'h', values: membersOf(200) })) },
    ],
    ['an object of 1000 members', membersOf(1_000)],
    ['a list of 10 000 ids', { ids: Array(10_000).fill('01900000-0000-7000-8000-00000000000a') }],
    ['20 levels', JSON.parse(nested(20))],
    ['a long text, whatever it holds', { notes: `${'[{,"'.repeat(300_000)}\\` }],
    ['a scalar', 1],
  ])('may hold %s', (_, body) => {
    expect(parseJson(JSON.stringify(body))).toEqual(body);
  });

  it.each([
    [
      'an object of more members, which readers of DTOs would take quadratic time for',
      JSON.stringify(membersOf(1_001)),
    ],
    ['such an object anywhere inside', JSON.stringify({ rows: [{ values: membersOf(1_001) }] })],
    ['21 levels', nested(21)],
    ['a million brackets', nested(500_000)],
    ['NUL in a text', '{"a":["\\u0000"]}'],
    ['NUL in a name', '{"a":{"\\u0000":1}}'],
    ['half a character', '["\\ud800"]'],
    ['a name that reaches the prototype', '{"__proto__":{}}'],
    ['a text without an end', '"\\'],
  ])('may not hold %s', (_, text) => {
    expect(() => parseJson(text)).toThrow(refused);
  });

  it('may hold any text where the route checks the texts itself', () => {
    const text = '{"rows":[{"name":"\\u0000"},{"name":"\\ud800"}]}';
    expect(() => parseJson(text)).toThrow(refused);
    expect(parseJson(text, () => undefined)).toEqual({ rows: [{ name: '\0' }, { name: '\ud800' }] });
    expect(() => parseJson(JSON.stringify(membersOf(1_001)), () => undefined)).toThrow(refused);
  });

  it.each(['1', '{}', '[]', '"\\"]"'])(
    'of more than 250 000 values is refused before it takes their memory: %s',
    (value) => {
      const text = `{"rows":[${Array(300_000).fill(value).join()}]}`;
      const before = process.memoryUsage().heapUsed;
      expect(() => parseJson(text)).toThrow(refused);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
    },
  );
});

const refused = expect.objectContaining({ code: 'validation_failed' });
