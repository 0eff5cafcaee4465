import { describe, expect, it } from '@jest/globals';
import { stepsAt } from './queries.ts';

describe('the policies that reach a position', () => {
  it('begin with those of the device, and end with those of the partner', () => {
    const position = { partnerId: 'p', orgId: 'o', siteId: 's', groupIds: ['g2', 'g1'], deviceId: 'd' };
    expect(names(position)).toEqual([
      ['device', ['device d']],
      ['group', ['group g1', 'second group']],
      ['site', ['site s']],
      ['organization', ['organization o']],
      ['partner', ['partner p']],
    ]);
  });

  it('leave out what is below it, and what belongs to another', () => {
    expect(names({ partnerId: 'p', orgId: 'o' })).toEqual([
      ['organization', ['organization o']],
      ['partner', ['partner p']],
    ]);
    expect(names({ partnerId: null })).toEqual([]);
  });
});

const policy = (
  level: 'partner' | 'organization' | 'site' | 'group' | 'device',
  id: string,
  name = `${level} ${id}`,
) => ({
  name,
  target: { level, id },
});

const POLICIES = [
  policy('partner', 'p'),
  policy('organization', 'o'),
  policy('organization', 'other'),
  policy('site', 's'),
  policy('group', 'g1'),
  policy('group', 'g2', 'second group'),
  policy('group', 'g3'),
  policy('device', 'd'),
];
const names = (position: Parameters<typeof stepsAt>[0]) =>
  stepsAt(position, POLICIES).map(({ level, policies }) => [level, policies.map(({ name }) => name)]);
