import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { isWithin, timeWindowFault } from './time-window.ts';

const [SUNDAY, MONDAY, FRIDAY, SATURDAY] = [0, 1, 5, 6];

describe('PAM-42 isWithin', () => {
  it.each([
    ['opens at its first minute', { start: '09:00', end: '17:00' }, '2026-11-20T09:00:00.000Z', true],
    ['is closed the minute before', { start: '09:00', end: '17:00' }, '2026-11-20T08:59:59.999Z', false],
    ['holds through its last minute', { start: '09:00', end: '17:00' }, '2026-11-20T17:00:59.999Z', true],
    ['is closed the minute after', { start: '09:00', end: '17:00' }, '2026-11-20T17:01:00.000Z', false],
    ['with equal ends is one minute long', { start: '12:00', end: '12:00' }, '2026-11-20T12:00:30.000Z', true],
    ['with equal ends is closed otherwise', { start: '12:00', end: '12:00' }, '2026-11-20T12:01:00.000Z', false],
    ['keeps to its days', { start: '00:00', end: '23:59', days: [MONDAY] }, '2026-11-20T12:00:00.000Z', false],
    ['counts days from Sunday', { start: '00:00', end: '23:59', days: [SUNDAY] }, '2026-11-22T12:00:00.000Z', true],
    [
      'that wraps midnight is open in the evening of its day',
      { start: '22:00', end: '06:00', days: [FRIDAY] },
      '2026-11-20T23:00:00.000Z',
      true,
    ],
    [
      'that wraps midnight is open in the morning after its day',
      { start: '22:00', end: '06:00', days: [FRIDAY] },
      '2026-11-21T06:00:00.000Z',
      true,
    ],
    [
      'that wraps midnight is closed in the morning of its day',
      { start: '22:00', end: '06:00', days: [FRIDAY] },
      '2026-11-20T05:00:00.000Z',
      false,
    ],
    [
      'that wraps midnight from Saturday is open on Sunday morning',
      { start: '22:00', end: '06:00', days: [SATURDAY] },
      '2026-11-22T01:00:00.000Z',
      true,
    ],
    [
      'is judged in its own zone',
      { start: '09:00', end: '10:00', timezone: 'Asia/Kolkata' },
      '2026-11-20T04:00:00.000Z',
      true,
    ],
    [
      'takes the weekday of its own zone',
      { start: '08:00', end: '09:00', days: [SATURDAY], timezone: 'Pacific/Auckland' },
      '2026-11-20T19:30:00.000Z',
      true,
    ],
    [
      'in a skipped hour never opens',
      { start: '02:00', end: '02:59', timezone: 'Europe/Berlin' },
      '2026-03-29T01:00:00.000Z',
      false,
    ],
    [
      'in a repeated hour opens the first time',
      { start: '02:00', end: '02:59', timezone: 'Europe/Berlin' },
      '2026-10-25T00:30:00.000Z',
      true,
    ],
    [
      'in a repeated hour opens the second time',
      { start: '02:00', end: '02:59', timezone: 'Europe/Berlin' },
      '2026-10-25T01:30:00.000Z',
      true,
    ],
    ['is right before 1970 too', { start: '00:00', end: '23:59', days: [3] }, '1969-12-31T23:59:00.000Z', true],
  ])('%s', (_, window, instant, expected) => {
    expect(isWithin(window, at(instant))).toBe(expected);
  });

  it('agrees in UTC with the zone database', () => {
    for (let hour = 0; hour < 24 * 14; hour++) {
      const instant = new Date(Date.UTC(2026, 1, 20, hour, 30));
      const window = { start: '21:15', end: '03:45', days: [MONDAY, FRIDAY] };
      expect(isWithin({ ...window, timezone: 'Etc/UTC' }, instant)).toBe(isWithin(window, instant));
    }
  });
});

describe('timeWindowFault', () => {
  it('accepts times of day in a known zone', () => {
    expect(timeWindowFault({ start: '00:00', end: '23:59', timezone: 'America/St_Johns' })).toBeNull();
  });

  it.each([
    ['24:00', '01:00', 'UTC'],
    ['9:00', '10:00', 'UTC'],
    ['09:60', '10:00', 'UTC'],
    ['09:00', '', 'UTC'],
    ['09:00\n', '10:00', 'UTC'],
    ['09:00', '10:00', 'Mars/Olympus'],
    ['09:00', '10:00', '../etc'],
    ['09:00', '10:00', ''],
  ])('refuses %j to %j in %j', (start, end, timezone) => {
    expect(timeWindowFault({ start, end, timezone })).not.toBeNull();
  });
});

describe('what is kept of time zones', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('is one for all spellings of a name', () => {
    const made = jest.spyOn(Intl, 'DateTimeFormat');
    const name = 'America/Argentina/Ushuaia';
    const spellings = Array.from(
      { length: name.length },
      (_, at) => name.slice(0, at).toUpperCase() + name.slice(at).toLowerCase(),
    );
    for (const timezone of spellings) {
      expect(timeWindowFault({ start: '09:00', end: '10:00', timezone })).toBeNull();
      expect(isWithin({ start: '09:00', end: '10:00', timezone }, at('2026-11-20T12:30:00.000Z'))).toBe(true);
    }
    expect(made).toHaveBeenCalledTimes(1);
  });

  it('is bounded, however many names there are', () => {
    const made = jest.spyOn(Intl, 'DateTimeFormat').mockReturnValue(new Intl.DateTimeFormat('en-US'));
    const ask = (n: number): unknown => timeWindowFault({ start: '09:00', end: '10:00', timezone: `Zone/${n}` });
    for (let n = 0; n < 1500; n++) ask(n);
    made.mockClear();
    ask(1499);
    expect(made).not.toHaveBeenCalled();
    ask(0);
    expect(made).toHaveBeenCalledTimes(1);
  });

  it('names a zone that is not known as it was written', () => {
    expect(timeWindowFault({ start: '09:00', end: '10:00', timezone: 'Mars/Olympus' })).toEqual({
      member: 'timezone',
      message: 'Mars/Olympus is not a known time zone',
    });
  });
});

const at = (iso: string): Date => new Date(iso);
