import { stateOf } from './model.ts';

const EARLIER = '2026-11-23T07:59:00Z';
const LATER = '2026-11-23T08:01:00Z';

describe('the state of a freeze', () => {
  it.each([
    ['active', null, LATER],
    ['active', null, null],
    ['expired', null, EARLIER],
    ['lifted', EARLIER, LATER],
    ['lifted', EARLIER, null],
  ])('is %s when it was lifted at %s and ends at %s', (state, liftedAt, expiresAt) => {
    expect(stateOf({ liftedAt, expiresAt }, NOW)).toBe(state);
  });
});

const NOW = Date.parse('2026-11-23T08:00:00Z');
