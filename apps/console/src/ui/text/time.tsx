import { Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { serverNow } from '../../api/browser.ts';
import { getQuery } from '../../api/client.ts';
import { useCan } from '../../api/me.ts';

const SECOND = 1000;
const DAY = 86_400_000;
const RELATIVE_EVERY_MS = 10 * SECOND;
const CLOCK_ERROR_MS = 3 * SECOND;

/** Draws its caller anew every second. @returns the server's time in milliseconds */
export function useServerNow(everyMs = SECOND): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Whether the time is still to come; it ends without an event. */
export function useBefore(until: string | null): boolean {
  const left = until === null ? 0 : Date.parse(until) - serverNow();
  const [, end] = useState(0);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => end((count) => count + 1), left);
    return () => clearTimeout(timer);
  }, [left]);
  return left > 0;
}

/** How long ago it was, or how long it is until then; it stays true while the screen is open. */
function Relative({ date }: { readonly date: Date }) {
  const format = useFormatter();
  useServerNow(RELATIVE_EVERY_MS);
  // What has just happened by the server's clock, which is known to some seconds, is not still to come.
  const ahead = date.getTime() - serverNow();
  return format.relativeTime(date, ahead > 0 && ahead < CLOCK_ERROR_MS ? date : serverNow());
}

export const siteQuery = (id: string | null | undefined) =>
  getQuery('sites', '/orgs/sites/{id}', { path: { id: id! }, enabled: Boolean(id) });

interface MomentProps {
  readonly at: string;
  /** The site where it happened, if it is known. */
  readonly siteId?: string | null | undefined;
}

/** A moment in this zone, in UTC, and in that of its site, which is read when it is asked for. */
function InZones({ at, siteId }: MomentProps) {
  const words = useTranslations('ui');
  const format = useFormatter();
  const mayRead = useCan()('GET /orgs/sites/{id}');
  const { data: site } = useQuery(siteQuery(mayRead ? siteId : null));
  const date = new Date(at);
  const here = format.dateTime(date, 'zoned');
  const there = site && format.dateTime(date, 'zoned', { timeZone: site.timezone });
  return [here, date.toISOString(), there && there !== here && words('atSite', { time: there })]
    .filter(Boolean)
    .join(' · ');
}

/** A moment: relative within a day unless `absolute`, and on hover {@link InZones}. */
export function Instant({ absolute = false, ...moment }: MomentProps & { readonly absolute?: boolean }) {
  const { at } = moment;
  const format = useFormatter();
  const date = new Date(at);
  const here = format.dateTime(date, absolute ? 'second' : 'moment');
  const recent = !absolute && Math.abs(serverNow() - date.getTime()) < DAY;
  return (
    <Tooltip label={<InZones {...moment} />} events={{ hover: true, focus: false, touch: true }}>
      <time dateTime={at}>{recent ? <Relative date={date} /> : here}</time>
    </Tooltip>
  );
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** `12:41`, or `3:05:00` from an hour on. */
function clockOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / SECOND));
  const minutes = Math.floor(seconds / 60);
  const rest = twoDigits(seconds % 60);
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${rest}`;
}

const URGENT_MS = 60_000;

interface CountdownProps {
  readonly until: string;
  /** Says what the clock counts to, where no heading does. */
  readonly lead?: boolean;
}

/** The time that is left, by the server's clock. */
export function Countdown({ until, lead = false }: CountdownProps) {
  const words = useTranslations('ui');
  const left = Date.parse(until) - useServerNow();
  if (left <= 0)
    return (
      <Text span c="dimmed">
        {words('expired')}
      </Text>
    );
  const clock = (
    <Text span ff="monospace" c={left < URGENT_MS ? 'red' : undefined} role="timer" aria-live="off">
      {clockOf(left)}
    </Text>
  );
  if (!lead) return clock;
  return (
    <span className="gh-left">
      <Text span size="xs" c="dimmed">
        {words('expiresIn')}
      </Text>{' '}
      {clock}
    </span>
  );
}
