import { expiryOf, strongestFirst } from './freeze.ts';

describe('the end of a freeze', () => {
  it('is the given hours from now, less a minute for the way to the server', () => {
    expect(expiryOf('24', NOW)).toBe('2026-11-24T07:59:00.000Z');
  });

  it('is null for a freeze without an end', () => {
    expect(expiryOf('none', NOW)).toBeNull();
  });
});

describe('freezes of one place', () => {
  it('are shown with the strongest first: a lockdown before a hold, then by their end', () => {
    const held = { mode: 'hold', expiresAt: null };
    const short = { mode: 'lockdown', expiresAt: '2026-11-24T08:00:00Z' };
    const long = { mode: 'lockdown', expiresAt: '2026-11-25T08:00:00Z' };
    const endless = { mode: 'lockdown', expiresAt: null };
    expect([held, short, endless, long].sort(strongestFirst)).toEqual([endless, long, short, held]);
  });
});

const NOW = Date.parse('2026-11-23T08:00:00Z');
