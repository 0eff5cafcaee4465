import { describe, expect, it } from '@jest/globals';
import { assignedTo } from './assigned.ts';
import { levelOf, placeIn, policyWith, valuesOf } from './model.ts';

const policy = {
  orgId: 'org',
  version: 3,
  levels: [
    { name: 'Servers', approvals: 2, pendingMinutes: 30, siteIds: ['site'] },
    { name: 'Unsigned', approvals: 3, pendingMinutes: 15, unsigned: true, riskTierMin: 0 },
  ],
  default: { approvals: 1, pendingMinutes: 15 },
  separation: { ruleEditors: true, aiRequester: false },
};

describe('levels of an approval policy', () => {
  it.each(policy.levels)('survive the form: $name', (level) => expect(levelOf(valuesOf(level))).toEqual(level));

  it('replace one, add one, remove one, and leave the rest of the policy as it is', () => {
    const level = levelOf({ ...valuesOf(), name: ' Agents ', flowTypes: ['ai_tool_action'] });
    expect(level).toEqual({ name: 'Agents', approvals: 2, pendingMinutes: 15, flowTypes: ['ai_tool_action'] });
    const { default: demand, separation } = policy;
    expect(policyWith(policy, 1, level)).toEqual({ levels: [policy.levels[0], level], default: demand, separation });
    expect(policyWith(policy, 2, level).levels).toEqual([...policy.levels, level]);
    expect(policyWith(policy, 0, null).levels).toEqual([policy.levels[1]]);
  });

  it('are found again after another person has moved, renamed or removed some', () => {
    const [servers, unsigned] = policy.levels as [(typeof policy.levels)[0], (typeof policy.levels)[0]];
    const inStored = (...levels: typeof policy.levels) => placeIn({ ...policy, levels }, policy, 1);
    expect(inStored(unsigned, servers)).toBe(0);
    expect(inStored(servers, { ...unsigned, name: 'No signer' })).toBe(1);
    expect(inStored(servers)).toBe(1);
    expect(placeIn(policy, policy, 2)).toBe(2);
  });
});

describe('assignments of a capture policy', () => {
  it('are counted by level, the widest first', () => {
    const assignments = [{ level: 'device' }, { level: 'organization' }, { level: 'device' }] as const;
    expect(assignedTo(assignments)).toEqual([
      { level: 'organization', count: 1 },
      { level: 'device', count: 2 },
    ]);
  });
});
