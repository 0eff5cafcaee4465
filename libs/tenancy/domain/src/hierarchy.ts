import type { OrganizationStatus } from '@gatehouse/contracts-tenancy';

/**
 * Returns the order to store: each wanted id that exists, once, then the others in the order of their registration
 * (TEN-09).
 * @param registered ids of the organisations that exist, oldest first
 */
export function organizationOrder(wanted: readonly string[], registered: readonly string[]): string[] {
  const existing = new Set(registered);
  const chosen = new Set(wanted.map((id) => id.toLowerCase()).filter((id) => existing.has(id)));
  return [...chosen, ...registered.filter((id) => !chosen.has(id))];
}

/** The statuses that a request may set directly; only operations (archive, merge, purge) set the others. */
export const SETTABLE_AT_CREATE: readonly OrganizationStatus[] = ['active', 'suspended', 'trial', 'churned'];
export const SETTABLE_AT_UPDATE: readonly OrganizationStatus[] = [...SETTABLE_AT_CREATE, 'offboarding'];

type Settings = Readonly<Record<string, unknown>>;

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const DAYS = new Set([...WEEKDAYS, ...WEEKDAYS.map((day) => day.slice(0, 3))]);
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const isObject = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isDay = (value: unknown): boolean =>
  isObject(value) &&
  [value['start'], value['end']].every((time) => typeof time === 'string' && TIME.test(time)) &&
  ['boolean', 'undefined'].includes(typeof value['closed']);

/** Returns the first day of custom business hours that is not `{ start, end, closed? }`, or null if all are valid. */
export const faultyBusinessDay = (custom: Settings): string | null =>
  Object.entries(custom).find(([day, hours]) => !DAYS.has(day) || !isDay(hours))?.[0] ?? null;

/**
 * TEN-04: an update overwrites only the keys it includes, and removes those that are null. Business hours and contact
 * are merged member by member.
 */
export function mergeSettings(current: Settings, update: Settings): Settings {
  const given = Object.entries(update).filter(([, value]) => value !== undefined);
  const merged = given.map(([key, value]) => [key, mergeMember(key, current[key], value)]);
  const settings = Object.entries({ ...current, ...Object.fromEntries(merged) });
  return Object.fromEntries(settings.filter(([, value]) => value !== null));
}

const MERGED_BY_MEMBER = new Set(['businessHours', 'contact']);

const mergeMember = (key: string, current: unknown, update: unknown): unknown =>
  MERGED_BY_MEMBER.has(key) && isObject(update) ? mergeSettings(isObject(current) ? current : {}, update) : update;
