import { describe, expect, it } from '@jest/globals';
import { choicesOf, fieldRows, scriptFiles, scriptRows, typeOf, VALUE, valueRows } from './model.ts';

describe('imported fields', () => {
  it.each([
    [undefined, 'text'],
    ['Number', 'number'],
    [' Yes/No ', 'boolean'],
    ['select', 'dropdown'],
    ['DateTime', 'date'],
    ['colour', undefined],
  ])('the kind %j is %j', (name, type) => expect(typeOf(name)).toBe(type));

  it.each([
    ['small; large, red', ['small', 'large, red']],
    ['small, large', ['small', 'large']],
    ['', []],
  ])('the choices of %j', (cell, choices) => expect(choicesOf(cell)).toEqual(choices));

  it.each([
    [['Owner', '', 'text'], undefined],
    [['', 'owner', 'text'], 'noName'],
    [['Owner', '1st', 'text'], 'badKey'],
    [['Owner', '', 'colour'], 'unknownType'],
  ])('the row %j has the fault %j', (cells, fault) => {
    const [row] = fieldRows({ ownerScope: 'partner' }, words)(sheet(...cells), { name: 0, fieldKey: 1, type: 2 });
    expect(row?.fault).toBe(fault);
  });

  it('choices go with dropdowns alone', () => {
    const mapping = { name: 0, type: 1, options: 2 };
    const rowOf = (type: string) =>
      fieldRows({ ownerScope: 'partner' }, words)(sheet('Size', type, 's;l'), mapping)[0]?.row;
    expect(rowOf('list')).toEqual({ name: 'Size', type: 'dropdown', options: ['s', 'l'], ownerScope: 'partner' });
    expect(rowOf('text')).toEqual({ name: 'Size', type: 'text', ownerScope: 'partner' });
  });
});

describe('imported values', () => {
  it('go by the key of their field', () => {
    const mapping = { hostname: 0, [`${VALUE}owner`]: 1, [`${VALUE}age`]: 2 };
    expect(valueRows('org', words)(sheet('lt-1', 'Kim', ''), mapping)).toEqual([
      {
        cells: ['lt-1', 'Kim', ''],
        line: 2,
        row: { organizationId: 'org', hostname: 'lt-1', values: { owner: 'Kim' } },
      },
    ]);
  });

  it.each([
    [{ sourceSystem: 0, [`${VALUE}owner`]: 1 }, 'noDevice'],
    [{ hostname: 0 }, 'noValue'],
  ])('%j: %s', (mapping, fault) => {
    expect(valueRows(undefined, words)(sheet('x', 'y'), mapping as never)[0]?.fault).toBe(fault);
  });
});

describe('imported scripts', () => {
  it.each([
    [['a', 'echo', 'user'], undefined],
    [['', 'echo', ''], 'noName'],
    [['a', ' ', ''], 'noContent'],
    [['a', 'x'.repeat(65_537), ''], 'longContent'],
    [['a', 'echo', 'root'], 'runAs'],
    [['a', 'echo', '', ' PowerShell '], undefined],
    [['a', 'echo', '', 'cobol'], 'language'],
    [['a', 'echo', '', 'constructor'], 'language'],
  ])('a row has its fault (%#)', (cells, fault) => {
    const rows = scriptRows({ availability: 'partner' }, words)(sheet(...cells), {
      name: 0,
      content: 1,
      runAs: 2,
      language: 3,
    });
    expect(rows[0]?.fault).toBe(fault);
  });

  it('files are named by their names, and know their language by the ending', () => {
    const rows = scriptFiles([{ name: 'Clean up.ps1', text: 'Get-Item' }], { availability: 'partner' }, words);
    expect(rows[0]?.row).toEqual({
      name: 'Clean up',
      content: 'Get-Item',
      language: 'powershell',
      runAs: 'system',
      availability: 'partner',
    });
  });
});

const words = (fault: string) => fault;
const sheet = (...cells: string[]) => ({ header: [], rows: [cells] });
