const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The day of an instant, in this zone, as a date field shows it; empty for no instant. */
export function dayOf(instant: string | null | undefined): string {
  if (!instant) return '';
  const date = new Date(instant);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

const instantOf = (day: string, time: string): string | undefined =>
  day === '' ? undefined : new Date(`${day}T${time}`).toISOString();

/** The first and the last moment of a day, in this zone. */
export const startOfDay = (day: string): string | undefined => instantOf(day, '00:00:00');
export const endOfDay = (day: string): string | undefined => instantOf(day, '23:59:59.999');
