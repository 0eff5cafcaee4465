import { needsAttention, type Provider, weekAgo, weekAhead } from './attention.ts';

const ending = (...days: string[]): Partial<Provider> => ({
  certificates: days.map((day) => ({ notAfter: `${day}T12:00:00Z` })) as Provider['certificates'],
});

describe('a provider', () => {
  it.each<[string, Partial<Provider>, boolean]>([
    ['without anything that ends', {}, false],
    ['whose certificate lasts a year', ending('2027-11-23'), false],
    ['whose certificate ends within a month', ending('2026-12-03'), true],
    ['whose certificate is over', ending('2026-11-22'), true],
    ['whose next certificate lasts', ending('2026-11-24', '2027-11-23'), false],
    [
      'whose client secret ends first',
      { ...ending('2028-01-01'), clientSecretExpiresAt: '2026-11-30T12:00:00Z' },
      true,
    ],
    ['with a warning', { warnings: [{ code: 'x', detail: 'y' }] }, true],
    ['that is not in use', { ...ending('2026-11-24'), status: 'inactive' }, false],
  ])('%s needs attention or does not', (_, members, needs) => {
    expect(needsAttention(provider(members), NOW)).toBe(needs);
  });
});

it('a week is counted in full hours', () => {
  expect([weekAgo(NOW), weekAhead(NOW)]).toEqual(['2026-11-16T12:00:00.000Z', '2026-11-30T12:00:00.000Z']);
});

const NOW = Date.parse('2026-11-23T12:34:00Z');
const provider = (members: Partial<Provider>) =>
  ({ status: 'active', warnings: [], certificates: [], ...members }) as Partial<Provider> as Provider;
