import { notificationOf, settledTags } from './messages.ts';

describe('a push', () => {
  it('opens its approval, once for each', () => {
    const shown = notificationOf({ title: 'A request waits', approvalId: 'a1' });
    expect(shown).toEqual({ title: 'A request waits', tag: 'a1', data: '/approvals/a1' });
  });

  it('opens the own request that has ended', () => {
    const shown = notificationOf({ title: 'Your request was approved', elevationRequestId: 'r1' });
    expect(shown).toEqual({ title: 'Your request was approved', tag: 'ended:r1', data: '/requests/r1' });
  });

  it('is shown as a test without an approval', () => {
    const shown = notificationOf({ test: true, title: 'Test' });
    expect(shown).toEqual({ title: 'Test', tag: 'test', data: '/settings/profile' });
  });

  it.each([
    [['a', 'b'], ['b'], 100, ['a']],
    [['a'], [], 100, ['a']],
    [['test', ''], [], 100, []],
    [['ended:r1'], [], 100, []],
    [['a'], ['b', 'c'], 2, []],
  ])('of %j, with %j waiting and pages of %i, settles %j', (shown, waiting, pageLength, settled) => {
    expect(settledTags(shown, waiting, pageLength)).toEqual(settled);
  });
});
