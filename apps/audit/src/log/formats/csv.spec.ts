import { describe, expect, it } from '@jest/globals';
import { GENESIS, link } from '../../chain/link.ts';
import { csvHeader, csvLine } from './export-formats.ts';

describe('an export as CSV', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '|calc', '%0A', '＝1+1', '＠SUM(A1)'])(
    'makes no formula of %j',
    (name) => {
      expect(lineFor(name)).toContain(`"'${name}"`);
    },
  );

  it('quotes what would break a line', () => {
    expect(lineFor('a "b", c\r\nd')).toContain('"a ""b"", c\r\nd"');
  });

  it('has as many cells as its header', () => {
    expect(lineFor('plain').split(',').length).toBe(csvHeader().split(',').length);
  });
});

const lineFor = (name: string): string => {
  const [entry] = link({ length: 0, head: GENESIS }, [
    {
      id: '01900000-0000-7000-8000-000000000001',
      timestamp: '2026-11-20T10:00:00.000Z',
      partnerId: null,
      orgId: null,
      siteId: null,
      actor: { type: 'user', id: 'u', name },
      action: 'user.login',
      resource: { type: 'user', id: null, name: null },
      result: 'success',
      details: {},
      ip: null,
      userAgent: null,
      requestId: null,
    },
  ]).entries;
  if (!entry) throw new Error('no entry');
  return csvLine(entry);
};
