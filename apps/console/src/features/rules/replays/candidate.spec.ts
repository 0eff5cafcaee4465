import type { NewRule, Rule } from '../model.ts';
import { changesOf, linesOf, UNCHANGED, withAdded, withMoved, withPatch, withToggled } from './candidate.ts';

describe('a rule set that is tried out', () => {
  it('changes nothing at first', () => {
    expect(changesOf(RULES, UNCHANGED)).toEqual([]);
  });

  it('gathers the changes of one rule, and forgets those that are taken back', () => {
    const off = withPatch(withPatch(UNCHANGED, A, { enabled: false }), A, { verdict: 'ignore' });
    expect(changesOf(RULES, off)).toEqual([
      { op: 'update', ruleId: 'a', patch: { enabled: false, verdict: 'ignore' } },
    ]);
    expect(withPatch(off, A, { enabled: true, verdict: 'auto_deny' })).toEqual(UNCHANGED);
  });

  it('removes a rule instead of changing it, and takes that back', () => {
    const gone = withToggled(withPatch(UNCHANGED, B, { enabled: false }), line('b'));
    expect(changesOf(RULES, gone)).toEqual([{ op: 'remove', ruleId: 'b' }]);
    expect(changesOf(RULES, withToggled(gone, line('b', gone)))).toHaveLength(1);
  });

  it('names every rule that is left in the new order, added ones by their refs', () => {
    const added = withAdded(UNCHANGED, NEW);
    const moved = withMoved(added, linesOf(RULES, added), 'new', 0);
    const changes = changesOf(RULES, withToggled(moved, line('b')));
    expect(changes.map(({ op }) => op)).toEqual(['add', 'remove', 'reorder']);
    expect(changes.at(-1)).toEqual({ op: 'reorder', ruleIds: ['new', 'a', 'c'] });
  });

  it('is no new order when a rule returns to its place', () => {
    const down = withMoved(UNCHANGED, linesOf(RULES, UNCHANGED), 'a', 2);
    expect(linesOf(RULES, down).map(({ id }) => id)).toEqual(['b', 'c', 'a']);
    expect(changesOf(RULES, withMoved(down, linesOf(RULES, down), 'a', 0))).toEqual([]);
  });

  it('gives added rules refs of their own, and lets them go again', () => {
    const two = withAdded(withAdded(UNCHANGED, NEW), NEW);
    expect(two.added.map(({ ref }) => ref)).toEqual(['new', 'new 2']);
    expect(withToggled(two, line('new', two)).added.map(({ ref }) => ref)).toEqual(['new 2']);
  });
});

const rule = (id: string): Rule =>
  ({ id, name: `rule ${id}`, verdict: 'auto_deny', enabled: true }) as Partial<Rule> as Rule;
const NEW = { name: 'new', verdict: 'ignore' } as NewRule;
const [A, B, C] = [rule('a'), rule('b'), rule('c')];
const RULES = [A, B, C];
const line = (id: string, candidate = UNCHANGED) => linesOf(RULES, candidate).find((one) => one.id === id)!;
