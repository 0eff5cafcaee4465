import { type Entry, lastSaveOf } from './last-save.ts';

const AT = '2026-03-01T10:00:00.000Z';
const BEFORE = '2026-03-01T09:58:00.000Z';

describe('who saved a record last', () => {
  it('is the actor of the entry about the stored version', () => {
    expect(lastSaveOf({ version: 4 }, entry({ timestamp: AT, details: { version: 4 } }))).toEqual({
      name: 'Dana Ek',
      at: AT,
    });
    expect(lastSaveOf({ version: 4, updatedAt: AT }, entry({ timestamp: '2026-03-01T10:00:00.020Z' }))).toMatchObject({
      name: 'Dana Ek',
    });
  });

  it.each([
    ['an entry about an earlier version', { version: 4, updatedAt: AT }, { details: { version: 3 } }],
    ['an entry from before the save', { version: 4, updatedAt: AT }, { timestamp: BEFORE }],
    ['no entry', { version: 4, updatedAt: AT }, undefined],
  ])('is not known from %s, but the time is', (_, stored, known) => {
    expect(lastSaveOf(stored, known && entry(known))).toEqual({ name: null, at: AT });
  });

  it('is not named when a service acted', () => {
    const service = { type: 'system', id: null, name: 'identity' } as const;
    expect(lastSaveOf({ version: 4, updatedAt: AT }, entry({ timestamp: AT, actor: service }))).toEqual({
      name: null,
      at: AT,
    });
  });

  it('is unknown, with its time, where the record has none and no entry fits', () => {
    expect(lastSaveOf({ version: 4 }, entry({ timestamp: AT }))).toBeNull();
  });
});

const entry = (part: Partial<Entry>): Entry => ({
  timestamp: BEFORE,
  actor: { type: 'user', id: 'u', name: 'Dana Ek' },
  details: {},
  ...part,
});
