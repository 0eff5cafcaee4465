import { describe, expect, it } from '@jest/globals';
import { countsOf, FAULTY, type ImportRow, outcomeOf, takenOf, withOutcomes } from './model.ts';

describe('an import', () => {
  it('says of each row what will happen; a row that cannot be sent is faulty', () => {
    const [first, , third] = ROWS as [ImportRow<number>, ImportRow<number>, ImportRow<number>];
    const rows = withOutcomes(
      ROWS,
      new Map([
        [first, { outcome: 'create' }],
        [third, { outcome: 'create', note: 'new', row: 44 }],
      ]),
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(['create', FAULTY, 'create', FAULTY]);
    expect(rows[2]).toMatchObject({ row: 44, note: 'new' });
    const outcomes = { create: { color: 'green' }, exists: { color: 'gray' }, [FAULTY]: { color: 'red' } };
    expect(takenOf([...rows, { outcome: 'exists' }], outcomes)).toBe(2);
    expect([...countsOf(rows)]).toEqual([
      ['create', 2],
      [FAULTY, 2],
    ]);
  });

  it('adds up its batches; what failed keeps its line', () => {
    const error = { index: 0, code: 'conflict', message: 'taken' };
    const outcome = outcomeOf(ROWS, [
      { first: 0, answer: { counts: { created: 2 }, errors: [] } },
      { first: 2, answer: { counts: { created: 0, skipped: 1 }, errors: [error] } },
    ]);
    expect(outcome.counts).toEqual({ created: 2, skipped: 1 });
    expect(outcome.failed.map((failed) => [failed.row.line, failed.code])).toEqual([
      [3, FAULTY],
      [5, 'conflict'],
    ]);
  });
});

const row = (line: number, fault?: string): ImportRow<number> => ({
  cells: [],
  row: line,
  line,
  ...(fault && { fault }),
});
const ROWS = [row(2), row(3, 'no name'), row(4), row(5)];
