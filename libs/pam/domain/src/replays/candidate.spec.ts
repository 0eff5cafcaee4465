import { describe, expect, it } from '@jest/globals';
import {
  type CandidateRule,
  candidateOf,
  ChangeFault,
  differenceOf,
  type RuleChange,
  type CurrentRules,
} from '../index.ts';

const values = (name: string, priority: number, isLive = true): Values => ({ name, priority, isLive });
const added = (ref: string, priority: number): RuleChange<Values> => ({
  op: 'add',
  ref,
  id: `id of ${ref}`,
  rule: values(` ${ref} `, priority),
});

describe('a candidate', () => {
  it('without changes is the rule set as it is, by priority and age', () => {
    expect(namesOf(make())).toEqual(['first', 'shadow', 'old', 'young']);
    expect(differenceOf(RULES, make())).toEqual({ added: [], updated: [], removed: [] });
  });

  it('has its changes made one after another; a rule that is added is the youngest', () => {
    const candidate = make(
      added('new', 20),
      { op: 'update', ruleId: 'old', patch: { priority: 30 } },
      { op: 'remove', ruleId: 'first' },
      { op: 'update', ruleId: 'old', patch: { name: ' renamed ' } },
    );
    expect(namesOf(candidate)).toEqual(['shadow', 'young', 'new', 'renamed']);
    expect(differenceOf(RULES, candidate)).toEqual({
      added: [{ id: 'id of new', ref: 'new', values: values('new', 20) }],
      updated: [{ rule: { id: 'old', ref: null, values: values('renamed', 30) }, fields: ['name', 'priority'] }],
      removed: ['first'],
    });
  });

  it('is ordered as named, by 10, 20 and so on; rules that need not be named keep their place', () => {
    const candidate = make(added('new', 1), { op: 'reorder', ruleIds: ['young', 'new', 'first', 'old'] });
    expect(candidate.map(({ id, values: { priority } }) => [id, priority])).toEqual([
      ['shadow', 5],
      ['young', 10],
      ['id of new', 20],
      ['first', 30],
      ['old', 40],
    ]);
  });

  it.each<[string, RuleChange<Values>[], unknown]>([
    ['an unknown rule', [{ op: 'update', ruleId: 'none', patch: {} }], [0, 'rule_unknown', 'none']],
    [
      'a rule that was removed',
      [
        { op: 'remove', ruleId: 'old' },
        { op: 'remove', ruleId: 'old' },
      ],
      [1, 'rule_unknown', 'old'],
    ],
    ['a ref twice', [added('new', 1), added('new', 2)], [1, 'ref_taken', 'new']],
    ['a ref that is an id', [added('old', 1)], [0, 'ref_taken', 'old']],
    ['an order that lacks a rule', [{ op: 'reorder', ruleIds: ['first', 'young'] }], [0, 'order_incomplete', 'old']],
    [
      'an order that lacks an added rule',
      [added('new', 1), { op: 'reorder', ruleIds: ['first', 'young', 'old'] }],
      [1, 'order_incomplete', 'new'],
    ],
    ['an order with a stranger', [{ op: 'reorder', ruleIds: ['first', 'x'] }], [0, 'order_unknown', 'x']],
    ['an order with a rule twice', [{ op: 'reorder', ruleIds: ['old', 'old'] }], [0, 'order_unknown', 'old']],
  ])('is refused with %s', (_, changes, fault) => expect(faultOf(...changes)).toEqual(fault));
});

interface Values {
  readonly name: string;
  readonly priority: number;
  readonly isLive: boolean;
}
const RULES: CurrentRules<Values>['rules'] = [
  { id: 'old', values: values('old', 20) },
  { id: 'young', values: values('young', 20) },
  { id: 'first', values: values('first', 1) },
  { id: 'shadow', values: values('shadow', 5, false) },
];
const STANDING: CurrentRules<Values> = {
  rules: RULES,
  isOrdered: ({ isLive }) => isLive,
  vet: (rule) => ({ ...rule, name: rule.name.trim() }),
};
const make = (...changes: RuleChange<Values>[]): CandidateRule<Values>[] => candidateOf(STANDING, changes);
const namesOf = (rules: readonly CandidateRule<Values>[]): string[] => rules.map(({ values: { name } }) => name);
const faultOf = (...changes: RuleChange<Values>[]): unknown => {
  try {
    return make(...changes);
  } catch (error) {
    return error instanceof ChangeFault ? [error.at, error.fault, error.subject] : error;
  }
};
