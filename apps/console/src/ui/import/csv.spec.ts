import { csvOf, sheetOf, sheetOfFile } from './csv.ts';
import { encodingOf, type Encoding } from './encoding.ts';

describe('sheetOf', () => {
  it.each([
    ['commas', 'name,email\nKim,kim@example.com\n'],
    ['semicolons', 'name;email\r\nKim;kim@example.com'],
    ['tabs of a spreadsheet', 'name\temail\nKim\tkim@example.com'],
    ['a byte order mark and blank lines', '\uFEFFname,email\n\nKim , kim@example.com\n,\n'],
  ])('reads %s', (_, text) => {
    expect(sheetOf(text)).toEqual({ header: ['name', 'email'], rows: [['Kim', 'kim@example.com']] });
  });

  it.each([
    ['sep=;\r\nname;notes\r\n"Kim";a,b', ['Kim', 'a,b']],
    ['\uFEFF"sep=|"\nname|notes\nKim|a;b,c', ['Kim', 'a;b,c']],
    ['SEP=,\nname,notes\nKim,"a;b;c;d"', ['Kim', 'a;b;c;d']],
  ])('takes the separator of the first line of %j and skips that line', (text, row) => {
    expect(sheetOf(text)).toEqual({ header: ['name', 'notes'], rows: [row] });
  });

  it.each([
    ['="0049 30 1234"', '0049 30 1234'],
    ['"=""0049 30"""', '0049 30'],
    ["'=1+1", '=1+1'],
    ['=1+1', '=1+1'],
    ['="a"&"b"', '="a"&"b"'],
  ])('reads the cell %j as %j', (cell, value) => {
    expect(sheetOf(`phone,name\n${cell},x`).rows).toEqual([[value, 'x']]);
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

describe('a file from a spreadsheet', () => {
  const TEXT = 'name;phone\r\nZoë Müller;1';
  const utf16 = (text: string, bigEndian: boolean): number[] =>
    [...text].flatMap((sign) => {
      const [high, low] = [sign.charCodeAt(0) >> 8, sign.charCodeAt(0) & 0xff];
      return bigEndian ? [high, low] : [low, high];
    });
  const windows = [...TEXT].map((sign) => sign.charCodeAt(0));
  const utf8 = [...new TextEncoder().encode(TEXT)];

  it.each<readonly [string, Encoding, readonly number[]]>([
    ['UTF-8', 'utf-8', utf8],
    ['UTF-8 with a mark', 'utf-8', [0xef, 0xbb, 0xbf, ...utf8]],
    ['Windows-1252', 'windows-1252', windows],
    ['UTF-16 with the mark of Excel', 'utf-16le', [0xff, 0xfe, ...utf16(TEXT, false)]],
    ['UTF-16 without a mark', 'utf-16le', utf16(TEXT, false)],
    ['UTF-16, the high byte first', 'utf-16be', [0xfe, 0xff, ...utf16(TEXT, true)]],
  ])('in %s loses no letter', (_, encoding, bytes) => {
    const file = new Uint8Array(bytes);
    expect(encodingOf(file)).toBe(encoding);
    expect(sheetOfFile(file, encoding)).toMatchObject({ rows: [['Zoë Müller', '1']], file: { unreadable: 0 } });
  });

  it('read in an encoding that is not its own says how many characters were lost', () => {
    expect(sheetOfFile(new Uint8Array(windows), 'utf-8').file?.unreadable).toBe(2);
  });
});
