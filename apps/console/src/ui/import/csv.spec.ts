import { csvOf, sheetOf } from './csv.ts';

describe('sheetOf', () => {
  it.each([
    ['commas', 'name,email\nKim,kim@example.com\n'],
    ['semicolons', 'name;email\r\nKim;kim@example.com'],
    ['tabs of a spreadsheet', 'name\temail\nKim\tkim@example.com'],
    ['a byte order mark and blank lines', '\uFEFFname,email\n\nKim , kim@example.com\n,\n'],
  ])('reads %s', (_, text) => {
    expect(sheetOf(text)).toEqual({ header: ['name', 'email'], rows: [['Kim', 'kim@example.com']] });
  });

  it('keeps separators and line breaks inside quotes', () => {
    expect(sheetOf('name,notes\n"Berg, Kim","a\nb"').rows).toEqual([['Berg, Kim', 'a\nb']]);
  });
});

describe('csvOf', () => {
  it.each(['=1+1', '+4722', '-1', '@x', ' =1', '|x', '%x', '＝1'])(
    'guards %s from being run, and reads it again',
    (cell) => {
      const text = csvOf(['phone'], [[cell]]);
      expect(text).toMatch(/^phone\r\n"?'/);
      expect(sheetOf(text).rows).toEqual([[cell.trim()]]);
    },
  );
});
