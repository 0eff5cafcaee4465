import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import {
  asPlain,
  Choice,
  Code,
  ChoiceList,
  Email,
  Flag,
  Instant,
  Nested,
  Pasted,
  Plain,
  Text,
  TextList,
  Uuid,
  UuidList,
  Whole,
  WholeList,
} from '../index.ts';

describe('plain classes', () => {
  it('take exactly what the full validation takes, and make the same of it', () => {
    let taken = 0;
    fc.assert(
      fc.property(nearlyGood, (body) => {
        const full = plainToInstance(Sample, body);
        const faults = validateSync(full, { whitelist: true, forbidUnknownValues: false });
        const plain = asPlain(Sample, body);
        expect(plain === null).toBe(faults.length > 0);
        if (plain)
          expect(JSON.stringify(Object.entries(plain).sort())).toBe(JSON.stringify(Object.entries(full).sort()));
        taken += plain ? 1 : 0;
      }),
      { numRuns: 3_000 },
    );
    expect(taken).toBeGreaterThan(300);
  });

  it('hold ids in lower case, as the server writes them', () => {
    expect(asPlain(Sample, { text: 'A', id: UUID.toUpperCase(), ids: [UUID.toUpperCase()] })).toEqual({
      text: 'A',
      id: UUID,
      ids: [UUID],
    });
  });

  it('are made of fields that have a check only', () => {
    class WithNested {
      @Nested(() => Sample) inner!: Sample;
    }
    expect(() => Plain()(WithNested)).toThrow('inner');
    expect(() => Plain()(class Empty {})).toThrow('Empty');
  });

  it('are those that say so', () => {
    class Silent {
      @Flag() flag!: boolean;
    }
    expect(asPlain(Silent, { flag: true })).toBeNull();
    class Heir extends Sample {}
    expect(asPlain(Heir, { text: 'a', id: null })).toBeNull();
    expect(asPlain(Sample, null)).toBeNull();
  });
});

@Plain()
class Sample {
  @Text({ min: 1, max: 3 }) text!: string;
  @Text({ max: 4, pattern: /^[a-z]*$/, patternHint: 'must be letters', optional: true, nullable: true }) word?:
    string | null;
  @TextList({ min: 1, max: 2, minItems: 1, maxItems: 2, optional: true, nullable: true }) list?: string[] | null;
  @Uuid({ nullable: true }) id!: string | null;
  @UuidList({ maxItems: 1, optional: true }) ids?: string[];
  @Choice(['a', 'b'], { optional: true }) choice?: string;
  @ChoiceList(['a', 'b'], { maxItems: 2, optional: true }) choices?: string[];
  @Flag({ optional: true }) flag?: boolean;
  @Whole({ min: 0, max: 4, optional: true }) whole?: number;
  @WholeList({ min: 0, max: 4, maxItems: 2, optional: true }) wholes?: number[];
  @Instant({ optional: true }) at?: string;
  @Email({ optional: true }) email?: string;
  @Pasted({ max: 3, optional: true }) pasted?: string;
  @Code({ max: 3, optional: true }) code?: string;
  @Text({ max: 3, optional: true, trim: true }) trimmed?: string;
}

const UUID = '01900000-0000-7000-8000-00000000000a';
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    '',
    ' ',
    'a',
    'ab',
    'abc',
    '👍👍👍',
    '👍👍👍👍',
    'a\0',
    '\ud800',
    true,
    false,
    0,
    4,
    5,
    -1,
    1.5,
    NaN,
    '1',
    UUID,
    UUID.toUpperCase(),
    'x',
    [],
    {},
    ['a'],
    ['a', 'b'],
    ['a', 'b', 'a'],
    ['c'],
    [UUID],
    [UUID.toUpperCase()],
    ['x'],
    [1],
    [1, 9],
    [null],
    '2026-02-28T23:59:59.999Z',
    '2024-02-30T00:00:00Z',
    'a@b.example',
    ' a@B\u00fc.example ',
    ' a ',
    'a b',
    ' 1 2 ',
    'x@localhost',
  ),
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.integer({ min: -2, max: 6 }),
  fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }),
);
const bodies = fc.record(
  {
    text: odd,
    word: odd,
    list: odd,
    id: odd,
    ids: odd,
    choice: odd,
    choices: odd,
    flag: odd,
    whole: odd,
    wholes: odd,
    at: odd,
    email: odd,
    pasted: odd,
    code: odd,
    trimmed: odd,
    unknown: odd,
  },
  { requiredKeys: [] },
);
/** Generates mostly valid members, so that whole bodies are valid often enough. */
const nearlyGood = fc
  .tuple(
    bodies,
    fc.subarray(
      [
        ...['word', 'list', 'ids', 'choice', 'choices', 'flag', 'whole', 'wholes', 'at', 'email', 'unknown', 'id'],
        ...['text', 'pasted', 'code', 'trimmed'],
      ],
      { maxLength: 3 },
    ),
  )
  .map(([body, kept]) => ({
    text: 'a',
    id: UUID,
    ...Object.fromEntries(Object.entries(body).filter(([key]) => kept.includes(key))),
  }));
