import { describe, expect, it } from '@jest/globals';
import { type Authority, EVERYWHERE, gains, Geography } from './places.ts';

const geography = new Geography();
geography.add('partner', EVERYWHERE);
for (const org of ['org-a', 'org-b']) geography.add(org, 'partner');
geography.add('site-a', 'org-a');

const whole: Authority = { permissions: ['devices:read'], reach: ['org-a'] };

describe('what a session holds beyond what was held before', () => {
  it.each<[string, Authority, string[]]>([
    ['the same', whole, []],
    ['less', { permissions: ['devices:read'], reach: ['site-a'] }, []],
    ['nothing', { permissions: [], reach: ['org-b'] }, []],
    ['another permission', { permissions: ['devices:write'], reach: ['site-a'] }, ['devices:write @ site-a']],
    ['everything', { permissions: ['*'], reach: ['org-a'] }, ['* @ org-a']],
    ['another place', { permissions: ['devices:read'], reach: ['org-b'] }, ['devices:read @ org-b']],
    ['the place above', { permissions: ['devices:read'], reach: ['partner'] }, ['devices:read @ partner']],
    ['the system', { permissions: ['devices:read'], reach: [EVERYWHERE] }, [`devices:read @ ${EVERYWHERE}`]],
  ])('ATK-35a: %s', (_, now, expected) => {
    expect(gains(geography, [whole], now)).toEqual(expected);
  });

  it('ATK-35b: permissions of one place do not count in another', () => {
    const before: Authority[] = [whole, { permissions: ['*'], reach: ['org-b'] }];
    expect(gains(geography, before, { permissions: ['users:write'], reach: ['org-a', 'org-b'] })).toEqual([
      'users:write @ org-a',
    ]);
    expect(geography.around('org-a', new Set(['site-a']))).toBe(true);
    expect(geography.around('org-b', new Set(['site-a']))).toBe(false);
  });
});
