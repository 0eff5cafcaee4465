/** HH:MM in 24 hours, both ends inclusive; days 0 to 6 from Sunday; UTC unless a zone is named. */
export interface TimeWindow {
  readonly start: string;
  readonly end: string;
  readonly days?: readonly number[];
  readonly timezone?: string;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const HOUR_MINUTES = 60;

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * HOUR_MINUTES + Number(clock.slice(3));

/**
 * Whether the window is open at an instant. A window whose start is after its end wraps past midnight and belongs to
 * the day on which it began.
 * @throws RangeError for an unknown zone
 */
export function isOpen({ start, end, days, timezone = 'UTC' }: TimeWindow, at: Date): boolean {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = WEEKDAYS.indexOf(parts.get('weekday') ?? '');
  const minute = Number(parts.get('hour')) * HOUR_MINUTES + Number(parts.get('minute'));
  const [from, to] = [minuteOf(start), minuteOf(end)];
  const openOn = (weekday: number): boolean => !days || days.includes(weekday);
  if (from <= to) return minute >= from && minute <= to && openOn(day);
  if (minute >= from) return openOn(day);
  return minute <= to && openOn((day + WEEKDAYS.length - 1) % WEEKDAYS.length);
}
