import { describe, expect, it } from '@jest/globals';
import type { LiveEvent } from './recent-events.ts';
import { RecentEvents } from './recent-events.ts';

describe('recent events', () => {
  it('are those after a position, in order', () => {
    const { recent, after } = recentAt();
    for (const id of ['a', 'b', 'c']) recent.add(event(id));
    expect([after('a'), after('c'), after('unknown')]).toEqual([['b', 'c'], [], null]);
  });

  it('begin at the opening of a stream for its own caller only', () => {
    const { recent, after } = recentAt();
    recent.add(event('a'));
    recent.mark('opened', 'ann');
    recent.add(event('b'));
    expect(after('opened')).toEqual(['b']);
    expect(recent.after('opened', 'bob', anyone)).toBeNull();
  });

  it("are not told from a foreign event's position", () => {
    const { recent } = recentAt();
    recent.add(event('a'));
    expect(recent.after('a', 'ann', () => false)).toBeNull();
  });

  it('are kept for five minutes', () => {
    const { recent, pass, after } = recentAt();
    recent.add(event('a'));
    pass(3 * MINUTE);
    recent.add(event('b'));
    pass(3 * MINUTE);
    expect([after('a'), after('b')]).toEqual([null, []]);
  });

  it('repeat those of other services in the second before the position, whose order may differ at another replica', () => {
    const { recent, pass, after } = recentAt();
    recent.add(event('old', 'tenancy'));
    pass(2_000);
    recent.add(event('same'));
    recent.add(event('other', 'tenancy'));
    recent.add(event('position'));
    recent.add(event('next'));
    expect(after('position')).toEqual(['other', 'next']);
  });

  it('are forgotten when some may have been missed', () => {
    const { recent, after } = recentAt();
    recent.add(event('a'));
    recent.clear();
    expect(after('a')).toBeNull();
  });
});

const MINUTE = 60_000;
const anyone = (): boolean => true;
const event = (id: string, source = 'pam'): LiveEvent => ({
  id,
  topic: 'elevations',
  source,
  placed: { partnerId: 'p', orgId: 'o' },
  frame: id,
});

function recentAt(): { recent: RecentEvents; pass: (ms: number) => void; after: (id: string) => string[] | null } {
  let now = 0;
  const recent = new RecentEvents(() => now);
  return {
    recent,
    pass: (ms) => (now += ms),
    after: (id) => recent.after(id, 'ann', anyone)?.map((each) => each.id) ?? null,
  };
}
