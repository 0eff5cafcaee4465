import { fieldOf, instantOfField } from '../../ui/forms/fields.ts';
import { AUDIT_ACTIONS } from '../../api/generated/actions.ts';
import { actionsByArea, actionsSaying, type AuditEntry, boundsOf, newerThan, queryOf } from './model.ts';

describe('the filter of the log', () => {
  it('is sent in the words of the API, without what is not set', () => {
    expect(queryOf({ org: 'o', action: 'pam.*', actor: 'a', kind: 'pam.rule', q: 'x' })).toEqual({
      orgId: 'o',
      action: ['pam.*'],
      actorId: 'a',
      resourceType: 'pam.rule',
      search: 'x',
    });
    expect(queryOf({ by: 'everyone' })).toEqual({});
    expect(queryOf({ action: 'pam.approval.*,device.elevation.*' }).action).toHaveLength(2);
  });

  it('shows acts of people until everyone, or one thing, person, act or text is looked for', () => {
    const people = { actorType: ['user', 'api_key', 'setup_link'] };
    expect(queryOf({ kind: 'pam.rule' })).toEqual({ ...people, resourceType: 'pam.rule' });
    expect(queryOf({ by: 'people', resource: 'r' })).toEqual({ ...people, resourceId: 'r' });
    for (const narrowed of [{ resource: 'r' }, { actor: 'a' }, { action: 'pam.*' }, { q: 'expired' }])
      expect(queryOf(narrowed)).not.toHaveProperty('actorType');
  });

  it('offers each action in one area', () => {
    const listed = actionsByArea().flatMap(({ actions }) => actions);
    expect(listed.toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
    expect(actionsByArea().every(({ actions }) => actions.length > 0)).toBe(true);
  });

  it('names the actions whose sentences say the text', () => {
    const sentences = new Map([
      ['pam.elevation_request.approve', 'approved an elevation'],
      ['pam.rule.opt_out', 'took the organisation out of the partner’s rule …'],
    ] as const);
    expect(actionsSaying(' Approved ', sentences)).toEqual(['pam.elevation_request.approve']);
    expect(actionsSaying("partner's rule", sentences)).toEqual(['pam.rule.opt_out']);
    for (const text of ['pam.elevation.*', 'pam.elevation_request.*', 'PAM.elev', 'pam.elevation_request.approve'])
      expect(actionsSaying(text, sentences)).toEqual(['pam.elevation_request.approve']);
    expect(['an', 'lt-0412'].flatMap((text) => actionsSaying(text, sentences))).toEqual([]);
    expect(queryOf({ q: 'approved', said: ['pam.elevation_request.approve'] })).toEqual({
      search: 'approved',
      searchActions: ['pam.elevation_request.approve'],
    });
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

const entries = (...ids: string[]) => ids.map((id) => ({ id }) as AuditEntry);
const NOW = new Date(2026, 10, 23, 12, 30);
