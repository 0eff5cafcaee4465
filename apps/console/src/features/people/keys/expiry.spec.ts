import { expiryOf } from './key-dialog.tsx';

describe('the end of a key', () => {
  it('is some days away, the end of a day, or never', () => {
    expect(expiryOf('month', '', NOW)).toBe('2026-12-23T12:00:00.000Z');
    expect(expiryOf('year', '2026-12-01', NOW)).toBe('2027-11-23T12:00:00.000Z');
    expect(Date.parse(expiryOf('day', '2026-12-01', NOW) ?? '')).toBe(Date.parse('2026-12-01T23:59:59.999'));
    expect(expiryOf('never', '2026-12-01', NOW)).toBeNull();
  });
});

const NOW = Date.parse('2026-11-23T12:00:00Z');
