import { fieldOf, instantOfField } from '../../ui/forms/fields.ts';
import { type AuditEntry, boundsOf, newerThan, queryOf } from './model.ts';

const entries = (...ids: string[]) => ids.map((id) => ({ id }) as AuditEntry);
const NOW = new Date(2026, 10, 23, 12, 30);

describe('the filter of the log', () => {
  it('is sent in the words of the API, without what is not set', () => {
    expect(queryOf({ org: 'o', action: 'pam.*', actor: 'a', kind: 'pam.rule', q: 'x' })).toEqual({
      orgId: 'o',
      action: ['pam.*'],
      actorId: 'a',
      resourceType: 'pam.rule',
      search: 'x',
    });
    expect(queryOf({})).toEqual({});
  });

  it.each([
    ['hour', new Date(2026, 10, 23, 11, 30)],
    ['today', new Date(2026, 10, 23)],
    ['week', new Date(2026, 10, 17)],
    ['thisMonth', new Date(2026, 10, 1)],
  ] as const)('goes on until now for %s', (period, from) => {
    expect(boundsOf(period, NOW)).toEqual({ from: from.toISOString() });
  });

  it('ends with the month for the last month', () => {
    const bounds = { from: new Date(2026, 9, 1).toISOString(), to: new Date(2026, 10, 1).toISOString() };
    expect(boundsOf('lastMonth', NOW)).toEqual(bounds);
  });

  it('shows an instant in the zone of its reader and takes it back', () => {
    expect(fieldOf(NOW.toISOString())).toBe('2026-11-23T12:30');
    expect(instantOfField('2026-11-23T12:30')).toBe(NOW.toISOString());
    expect([fieldOf(undefined), instantOfField('')]).toEqual(['', undefined]);
  });
});

describe('what came in since', () => {
  it.each([
    [['b', 'a'], ['b', 'a'], 0],
    [['a'], ['c', 'b', 'a'], 2],
    [['a'], ['d', 'c'], 2],
    [[], [], 0],
  ])('with %j shown and %j the newest is %i', (shown, newest, count) => {
    expect(newerThan(entries(...shown), entries(...newest))).toBe(count);
  });
});
