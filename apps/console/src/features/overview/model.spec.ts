import { attentionOf, barsOf, type Bucket, expiryOf, isUsed, nextOf, type Provider } from './model.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const NONE = { autoApproved: 0, approved: 0, denied: 0, expired: 0, ignored: 0, pending: 0 };
const bucket = (counts: Partial<Bucket>): Bucket => ({ from: '2026-11-23T00:00:00Z', ...NONE, ...counts });
const provider = (name: string, members: Partial<Provider> = {}) =>
  ({ name, status: 'active', warnings: [], certificates: [], ...members }) as Partial<Provider> as Provider;
const ending = (...days: string[]): Partial<Provider> => ({
  certificates: days.map((day) => ({ notAfter: `${day}T12:00:00Z` })) as NonNullable<Provider['certificates']>,
});

describe('the days of a chart', () => {
  it('stand on each other as shares of the busiest one', () => {
    const [busy, quiet, empty] = barsOf([bucket({ approved: 3, denied: 1 }), bucket({ pending: 2 }), bucket({})]);
    expect(busy).toEqual([
      { outcome: 'approved', from: 0, height: 0.75 },
      { outcome: 'denied', from: 0.75, height: 0.25 },
    ]);
    expect(quiet).toEqual([{ outcome: 'pending', from: 0, height: 0.5 }]);
    expect(empty).toEqual([]);
    expect([isUsed(bucket({})), isUsed(bucket({ ignored: 1 }))]).toEqual([false, true]);
  });
});

describe('the certificates of a provider', () => {
  it.each([
    [[], null],
    [['2026-12-03'], 10],
    [['2026-11-25', '2027-11-23'], 365],
    [['2026-11-22'], -1],
  ])('with the ends %j last %s days', (days, left) => {
    expect(expiryOf(provider('x', ending(...days)), NOW)?.days ?? null).toBe(left);
  });

  it('and its client secret are told by whichever ends first', () => {
    const clientSecretExpiresAt = '2026-11-30T12:00:00Z';
    expect(expiryOf(provider('x', { ...ending('2026-12-03'), clientSecretExpiresAt }), NOW)).toEqual({
      kind: 'secret',
      days: 7,
    });
    expect(expiryOf(provider('x', { ...ending('2026-11-24'), clientSecretExpiresAt }), NOW)?.kind).toBe('certificate');
  });
});

it('providers with something to tell come in the order of their urgency', () => {
  const providers = [
    provider('quiet'),
    provider('off', { status: 'inactive', ...ending('2026-11-24') }),
    provider('long', ending('2028-01-01')),
    provider('short', ending('2026-11-30')),
    provider('warned', { warnings: [{ code: 'x', detail: 'y' }] }),
  ];
  expect(attentionOf(providers, NOW).map((one) => one.provider.name)).toEqual(['short', 'warned', 'long']);
});

it.each([
  [{ organization: false, site: false, key: false, device: false }, 'organization'],
  [{ organization: true, site: true, key: false, device: false }, 'key'],
  [{ organization: true, site: true, key: true, device: true }, null],
])('after %j the next step is %s', (progress, next) => expect(nextOf(progress)).toBe(next));
