import { GatehouseError, type ProblemCode } from '@gatehouse/client';
import { inParallel } from '../../api/many.ts';
import { countOf, inOrder, MAX_AT_ONCE, planOf, retriable, stillSelected, withTried } from './outcomes.ts';

describe('many acts at once', () => {
  it('leaves out what has to be decided by itself, and what is too much for one time', () => {
    const ids = Array.from({ length: MAX_AT_ONCE + 2 }, (_, at) => `r${at}`);
    const { tried, untried } = planOf(ids, (id) => id === 'r0');
    expect(tried).toHaveLength(MAX_AT_ONCE);
    expect(untried).toEqual([
      { id: 'r0', ending: 'leftOut' },
      { id: `r${MAX_AT_ONCE + 1}`, ending: 'later' },
    ]);
  });

  it('tells what became of each, what asks for attention first', () => {
    const results = inOrder(withTried([{ id: 'flagged', ending: 'leftOut' }], OUTCOMES));
    expect(results.map(({ id, ending }) => [id, ending])).toEqual([
      ['frozen', 'refused'],
      ['late', 'faster'],
      ['unticketed', 'ticket'],
      ['flagged', 'leftOut'],
      ['voted', 'vote'],
      ['granted', 'done'],
    ]);
    expect(results[0]?.why).toMatch(/freeze/);
    expect(countOf(results, 'done', 'vote')).toBe(2);
  });

  it('tries again what was refused, and only that', () => {
    const first = withTried([{ id: 'more', ending: 'later' }], OUTCOMES);
    expect(retriable(first)).toEqual(['frozen']);
    expect([...stillSelected(first)]).toEqual(['frozen', 'more']);
    const second = withTried(first, [{ id: 'frozen' }]);
    expect(retriable(second)).toEqual([]);
    expect(countOf(second, 'done')).toBe(2);
  });

  it('asks for the second factor once: a cancelled dialog refuses the rest', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => `r${at}`);
    let asked = 0;
    const outcomes = await inParallel(ids, () => {
      asked++;
      return Promise.reject(new GatehouseError(403, { code: 'mfa_required' } as GatehouseError['problem']));
    });
    expect(asked).toBe(8);
    expect(outcomes.every(({ error }) => error instanceof GatehouseError)).toBe(true);
  });
});

const refused = (code: ProblemCode) => new GatehouseError(409, { code } as GatehouseError['problem']);
const OUTCOMES = [
  { id: 'granted', data: { status: 'approved' } },
  { id: 'voted', data: { status: 'pending' } },
  { id: 'late', error: refused('not_pending') },
  { id: 'frozen', error: refused('pam_frozen') },
  { id: 'unticketed', error: refused('ticket_required') },
];
