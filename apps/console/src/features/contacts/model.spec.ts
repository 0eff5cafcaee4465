import { changesOf, countsOf, echoed, outcomeOf, rowsOf, valuesOf, withPreview } from './model.ts';

const SHEET = {
  header: ['Name', 'Mail', 'Roles'],
  rows: [
    ['Kim', 'kim@example.com', 'Billing; after hours'],
    ['', 'jo@example.com', ''],
  ],
};
const ROWS = rowsOf('o1', SHEET, { name: 0, email: 1, roles: 2 });
const PREVIEW = withPreview(ROWS, 0, [
  { index: 0, annotation: 'create', contactId: null },
  { index: 1, annotation: 'conflict', contactId: null, conflictReason: 'duplicate-row' },
]);

describe('an import of contacts', () => {
  it('places each row in the organisation and leaves out empty cells', () => {
    expect(ROWS.map(({ row }) => row)).toEqual([
      { organizationId: 'o1', name: 'Kim', email: 'kim@example.com', roles: ['billing', 'after_hours'] },
      { organizationId: 'o1', email: 'jo@example.com' },
    ]);
  });

  it('echoes what the preview showed', () => {
    expect(echoed(PREVIEW[0]!)).toEqual({ ...ROWS[0]!.row, expectedAnnotation: 'create', expectedContactId: null });
    expect([...countsOf(PREVIEW)]).toEqual([
      ['create', 1],
      ['conflict', 1],
    ]);
  });

  it('names failed rows by their line, across batches', () => {
    const none = { imported: [], updated: [], skipped: [] };
    const answers = [
      { first: 0, answer: { ...none, imported: [{ index: 0, organizationId: 'o1', contactId: 'c1' }], errors: [] } },
      { first: 1, answer: { ...none, errors: [{ index: 0, code: 'conflict', message: 'not certain' }] } },
    ];
    expect(outcomeOf(PREVIEW, answers)).toMatchObject({
      imported: 1,
      failed: [{ line: 3, code: 'conflict', row: { cells: ['', 'jo@example.com', ''] } }],
    });
  });
});

describe('changesOf', () => {
  it('sends what changed, and null for what was emptied', () => {
    const before = { ...valuesOf(), name: 'Kim', phone: '1' };
    expect(changesOf(before, { ...before, phone: '', roles: ['billing'] })).toEqual({
      phone: null,
      roles: ['billing'],
    });
  });
});
