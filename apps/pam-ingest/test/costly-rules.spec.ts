import { failSafe, EffortExceeded } from '@gatehouse/pam-domain';
import { describe, expect, it } from '@jest/globals';
import { CostlyRules } from '../src/report-prompt/decide-report.ts';

describe('the log', () => {
  it('ATK-12e names a rule whose matching took too much work, once a minute for each rule', () => {
    const lines: unknown[] = [];
    const costly = new CostlyRules({ warn: (members: unknown) => void lines.push(members) });
    const ruleOf = (id: string) => ({ type: 'pam.rule' as const, id, name: id, steps: 9 });
    const held = (id: string) => failSafe(new EffortExceeded(), ruleOf(id));
    for (const id of ['one', 'one', 'other', 'one']) costly.note({ orgId: 'org', deviceId: 'device' }, held(id));
    costly.note({ orgId: 'org', deviceId: 'device' }, failSafe(new Error('another cause')));
    expect(lines).toEqual(['one', 'other'].map((id) => ({ orgId: 'org', deviceId: 'device', costliest: ruleOf(id) })));
  });
});
