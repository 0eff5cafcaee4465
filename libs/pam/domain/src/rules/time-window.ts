import type { TimeWindow } from './rule.ts';
import { foldCase } from '@gatehouse/windows-paths';

interface LocalTime {
  /** 0 is Sunday. */
  readonly day: number;
  readonly minute: number;
}

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const WEEK_DAYS = 7;
/** 1 January 1970 was a Thursday. */
const EPOCH_DAY = 4;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/**
 * Recent versions of Node accept thousands of offsets as zone names; a rule may only use names of the zone database.
 */
const OFFSET = /^[+-]/;
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

interface Zone {
  readonly formatter: Intl.DateTimeFormat;
  /** Cache of the last minute: all rules of a rulebook use the same instant. */
  last: { readonly epochMinute: number; readonly time: LocalTime } | null;
}

/** Limit of the cache, above the number of names in the zone database. */
const MAX_ZONES = 1000;
/** Keyed by the name in lower case, because zone names ignore case: caching every spelling would exhaust the memory. */
const zones = new Map<string, Zone>();

/** @throws RangeError for an unknown zone */
function zoneOf(timezone: string): Zone {
  const name = foldCase(timezone);
  const known = zones.get(name);
  if (known) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const made: Zone = { formatter, last: null };
  if (zones.size === MAX_ZONES) zones.clear();
  zones.set(name, made);
  return made;
}

function utcTime(epochMinute: number): LocalTime {
  const days = Math.floor(epochMinute / DAY_MINUTES);
  return { day: (((days + EPOCH_DAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS, minute: epochMinute - days * DAY_MINUTES };
}

function zonedTime(formatter: Intl.DateTimeFormat, at: Date): LocalTime {
  const parts = new Map(formatter.formatToParts(at).map(({ type, value }) => [type, value]));
  return {
    day: WEEKDAYS.indexOf(parts.get('weekday') ?? ''),
    minute: Number(parts.get('hour')) * HOUR_MINUTES + Number(parts.get('minute')),
  };
}

function localTime(timezone: string, at: Date): LocalTime {
  const epochMinute = Math.floor(at.getTime() / MINUTE_MS);
  if (timezone === 'UTC') return utcTime(epochMinute);
  const zone = zoneOf(timezone);
  if (zone.last?.epochMinute !== epochMinute) zone.last = { epochMinute, time: zonedTime(zone.formatter, at) };
  return zone.last.time;
}

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * HOUR_MINUTES + Number(clock.slice(3));

/**
 * Whether the window is open at an instant (decisions, "time window"): both ends inclusive, in the local time of its
 * zone. A window whose start is after its end wraps past midnight and belongs to the day on which it began.
 */
export function isWithin({ start, end, days, timezone }: TimeWindow, at: Date): boolean {
  const { day, minute } = localTime(timezone ?? 'UTC', at);
  const [from, to] = [minuteOf(start), minuteOf(end)];
  const openOn = (weekday: number): boolean => !days || days.includes(weekday);
  if (from <= to) return minute >= from && minute <= to && openOn(day);
  if (minute >= from) return openOn(day);
  return minute <= to && openOn((day + WEEK_DAYS - 1) % WEEK_DAYS);
}

export interface TimeWindowFault {
  readonly member: 'start' | 'end' | 'timezone';
  readonly message: string;
}

const unknownZone = (name: string): TimeWindowFault => ({
  member: 'timezone',
  message: `${name} is not a known time zone`,
});
const noTimeOfDay = (member: 'start' | 'end'): TimeWindowFault => ({
  member,
  message: 'must be a time of day from 00:00 to 23:59',
});

/** Returns the fault of a window; null when it is valid. */
export function timeWindowFault({ start, end, timezone }: TimeWindow): TimeWindowFault | null {
  if (!CLOCK.test(start)) return noTimeOfDay('start');
  if (!CLOCK.test(end)) return noTimeOfDay('end');
  const name = timezone ?? 'UTC';
  if (OFFSET.test(name)) return unknownZone(name);
  try {
    zoneOf(name);
    return null;
  } catch {
    return unknownZone(name);
  }
}
