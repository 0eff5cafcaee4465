import { dayOf, endOfDay, startOfDay } from './days.ts';

describe('a day in a date field', () => {
  it('begins and ends in the zone of its reader', () => {
    const [start, end] = [startOfDay('2026-11-23'), endOfDay('2026-11-23')];
    expect(Date.parse(end!) - Date.parse(start!)).toBe(86_400_000 - 1);
    expect([dayOf(start), dayOf(end)]).toEqual(['2026-11-23', '2026-11-23']);
  });

  it('is no instant when it is empty', () => {
    expect([startOfDay(''), endOfDay(''), dayOf(undefined), dayOf(null)]).toEqual([undefined, undefined, '', '']);
  });
});
