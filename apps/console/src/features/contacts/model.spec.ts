import { changesOf, fresh, rowsOf, valuesOf, view } from './model.ts';

describe('an import of contacts', () => {
  it('places each row in the organisation and leaves out empty cells', () => {
    expect(ROWS.map(({ row }) => row)).toEqual([
      { organizationId: 'o1', name: 'Kim', email: 'kim@example.com', roles: ['billing', 'after_hours'] },
      { organizationId: 'o1', email: 'jo@example.com' },
    ]);
  });

  it('echoes what the preview showed, and forgets it before another preview', () => {
    const { row } = ROWS[0]!;
    const echoed = { ...row, expectedAnnotation: 'conflict', expectedContactId: null };
    const shown = view(row, { index: 0, annotation: 'conflict', contactId: null, conflictReason: 'duplicate-row' });
    expect(shown).toEqual({ outcome: 'conflict', note: 'duplicate-row', row: echoed });
    expect(fresh(shown.row!)).toEqual(row);
  });

  it('names the cells of a row that is not valid: those that the preview leaves out', () => {
    const { email: _, ...left } = ROWS[0]!.row;
    const previewed = { ...left, index: 0, annotation: 'conflict', contactId: null } as const;
    expect(view(ROWS[0]!.row, { ...previewed, conflictReason: 'validation_failed' }).note).toBe(
      'validation_failed email',
    );
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

const SHEET = {
  header: ['Name', 'Mail', 'Roles'],
  rows: [
    ['Kim', 'kim@example.com', 'Billing; after hours'],
    ['', 'jo@example.com', ''],
  ],
};
const ROWS = rowsOf('o1', SHEET, { name: 0, email: 1, roles: 2 });
