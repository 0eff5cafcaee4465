import { GatehouseError } from '@gatehouse/client';
import { describe, expect, it } from '@jest/globals';
import { assignedTo } from './screens/capture-list.tsx';
import {
  escalationBody,
  escalationValues,
  levelOf,
  minutesOf,
  placeIn,
  policyWith,
  stepFaults,
  valuesOf,
} from './model.ts';
import { justificationBody, justificationValues, masksFault } from './parts/justification-card.tsx';

const policy = {
  orgId: 'org',
  version: 3,
  levels: [
    { name: 'Servers', approvals: 2, pendingMinutes: 30, siteIds: ['site'] },
    { name: 'Unsigned', approvals: 3, pendingMinutes: 15, unsigned: true, riskTierMin: 0, automaticGrants: true },
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

const refused = (path: string) => {
  const problem: object = { code: 'validation_failed', issues: [{ path, message: 'is wrong' }] };
  return new GatehouseError(400, problem as GatehouseError['problem']);
};

describe('what is asked for as a justification', () => {
  it('survives the form whole, also what the form hides', () => {
    const { reason, ticket, prompts } = asked;
    expect(justificationBody(justificationValues(asked))).toEqual({ reason, ticket, prompts });
  });

  it('has a mask in each line that is not blank, and no blank hint', () => {
    const values = { ...justificationValues(asked), 'ticket.masks': ' INC-#\n\n REQ * \n', 'ticket.hint': ' ' };
    expect(justificationBody(values).ticket).toEqual({ mode: 'off', masks: ['INC-#', 'REQ *'], hint: null });
  });

  it('shows what is wrong with one mask at the field of all', () => {
    expect(masksFault(refused('ticket.masks[1]'))).toEqual({ 'ticket.masks': 'is wrong' });
    expect(masksFault(refused('ticket.hint'))).toEqual({});
  });

  const asked = {
    orgId: 'org',
    version: 2,
    reason: { mode: 'optional' as const, minLetters: 12 },
    ticket: { mode: 'off' as const, masks: ['INC-####', '*'], hint: 'From the portal.' },
    prompts: { hold: true },
  };
});

describe('what happens while requests wait', () => {
  it('survives the form: steps keep their numbers', () => {
    const { steps, flowTypes, tellDevice, tellRequester } = policy;
    expect(escalationBody(escalationValues(policy))).toEqual({ steps, flowTypes, tellDevice, tellRequester });
  });

  it('holds for all kinds of request when all are chosen, or none', () => {
    const all = escalationValues({ ...policy, flowTypes: null });
    expect(escalationBody(all).flowTypes).toBeNull();
    const none = { ...escalationValues(policy), 'flowTypes.uac_intercept': false };
    expect(escalationBody(none).flowTypes).toBeNull();
  });

  it.each([
    ['steps.1', 'too early'],
    ['steps.1.afterMinutes', 'is wrong'],
    ['steps[1].afterMinutes', 'is wrong'],
  ])('shows what is wrong with %s at the minutes of that step', (path, text) => {
    expect(stepFaults(refused(path), escalationValues(policy), 'too early')).toEqual({ [minutesOf(4)]: text });
  });

  const policy = {
    orgId: 'org',
    version: 1,
    steps: [
      { step: 2, afterMinutes: 5, askAllApprovers: false },
      { step: 4, afterMinutes: 20, askAllApprovers: true },
    ],
    flowTypes: ['uac_intercept' as const],
    tellDevice: true,
    tellRequester: false,
  };
});
