import type { PolicyLevel } from '@gatehouse/contracts-tenancy';
import { describe, expect, it } from '@jest/globals';
import { effectiveConfiguration, type ReachingPolicy } from './effective-configuration.ts';

describe('the effective configuration of a device', () => {
  it('captures prompts where no policy says otherwise', () => {
    expect(effectiveConfiguration([])).toEqual({ pam: { uacInterceptionEnabled: true, source: null } });
    expect(effectiveConfiguration([policy('device', null)])).toEqual({
      pam: { uacInterceptionEnabled: true, source: null },
    });
  });

  it.each<[PolicyLevel, PolicyLevel]>([
    ['device', 'group'],
    ['group', 'site'],
    ['site', 'organization'],
    ['organization', 'partner'],
  ])('lets %s win over %s', (closer, farther) => {
    expect(effectiveConfiguration([policy(farther, true), policy(closer, false)])).toEqual({
      pam: { uacInterceptionEnabled: false, source: { level: closer, policyId: closer } },
    });
  });

  it('passes over a closer policy that does not speak of the feature', () => {
    expect(effectiveConfiguration([policy('device', null), policy('partner', false)]).pam.source).toEqual({
      level: 'partner',
      policyId: 'partner',
    });
  });

  it('takes the newest assignment among equals', () => {
    expect(
      effectiveConfiguration([policy('group', false, 'newer'), policy('group', true, 'older')]).pam.source?.policyId,
    ).toBe('newer');
  });
});

const policy = (
  level: PolicyLevel,
  uacInterceptionEnabled: boolean | null,
  policyId: string = level,
): ReachingPolicy => ({
  level,
  policyId,
  features: uacInterceptionEnabled === null ? {} : { pam: { uacInterceptionEnabled } },
});
