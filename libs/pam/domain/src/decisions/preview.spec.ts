import { describe, expect, it } from '@jest/globals';
import { nothingSeen } from '../matching/observation.ts';
import { type PastRequest, Preview } from './preview.ts';
import { NO_CRITERIA } from '../rules/rule.ts';

describe('a preview', () => {
  it('counts what the rule matches, by status', () => {
    const preview = new Preview({ ...NO_CRITERIA, matchUser: 'ANN' }, new Map());
    for (const request of [
      past('denied', 'ann'),
      past('pending', 'bob'),
      past('denied', 'Ann'),
      past('approved', null),
    ])
      preview.scan(request);
    expect([preview.totalScanned, preview.totalMatched]).toEqual([4, 2]);
    expect(preview.statusBreakdown).toEqual({
      pending: 0,
      approved: 0,
      auto_approved: 0,
      denied: 2,
      expired: 0,
      revoked: 0,
      actuating: 0,
    });
  });

  it('shows the first ten as a sample', () => {
    const preview = new Preview({ ...NO_CRITERIA, matchUser: 'ann' }, new Map());
    const requests = Array.from({ length: 12 }, () => past('denied', 'ann'));
    for (const request of requests) preview.scan(request);
    expect(preview.sample).toEqual(requests.slice(0, 10));
  });

  it('ATK-12f takes a bounded number of steps, and counts a request that would take too many as no match', () => {
    const preview = new Preview({ ...NO_CRITERIA, matchPathGlob: `**a${'?'.repeat(1000)}*` }, new Map());
    const { observation } = past('denied', 'ann');
    const hostile: PastRequest = { status: 'denied', observation: { ...observation, path: 'a'.repeat(30_000) } };
    let scanned = 0;
    for (; !preview.isExhausted && scanned < 50_000; scanned++) preview.scan(hostile);
    expect([scanned, preview.totalMatched]).toEqual([1000, 0]);
  });

  it('matches no request without the value, negated or not', () => {
    const preview = new Preview({ ...NO_CRITERIA, matchAdGroup: 'Admins', matchNegate: ['adGroup'] }, new Map());
    preview.scan(past('denied', 'ann'));
    expect(preview.totalMatched).toBe(0);
  });
});

const place = { partnerId: 'p', orgId: 'o', siteId: 's', groupIds: [], deviceId: 'd' };
const past = (status: PastRequest['status'], username: string | null): PastRequest => ({
  status,
  observation: { ...nothingSeen('uac_intercept', place, new Date()), username },
});
