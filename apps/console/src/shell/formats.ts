import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getQuery } from '../api/client.ts';
import { useMe } from '../api/me.ts';
import { whenIdle } from '../ui/later/lazy-part.ts';

/** English as it is written where dates have this order. */
const LOCALES: Readonly<Record<string, string>> = {
  'MM/DD/YYYY': 'en-US',
  'DD/MM/YYYY': 'en-GB',
  'YYYY-MM-DD': 'en-SE',
};
const CLOCKS: Readonly<Record<string, string>> = { '12h': 'h12', '24h': 'h23' };

/** How this browser writes dates and times, apart from its language: all texts are English. */
export interface BrowserFormats {
  readonly language: string;
  readonly hourCycle: string | undefined;
}

const english = (language: string): string => (/^en-[A-Z]{2}$/.test(language) ? language : 'en-GB');

/** The locale of dates and times: the partner's settings, and where they are silent the browser's habits. */
export function formatLocale(settings: Readonly<Record<string, unknown>>, browser: BrowserFormats): string {
  const locale = LOCALES[String(settings['dateFormat'])] ?? english(browser.language);
  const clock = CLOCKS[String(settings['timeFormat'])] ?? browser.hourCycle;
  return clock ? `${locale}-u-hc-${clock}` : locale;
}

const ofBrowser = (): BrowserFormats => {
  const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
  return { language: navigator.language, hourCycle };
};

/** The same record as the partner's settings: what is saved there shows here at once. */
const partnerQuery = getQuery('settings', '/orgs/partners/me', {});

/** The locale of all dates and times in the console; the partner's settings are read after the first view. */
export function useFormatLocale(): string {
  const { scope } = useMe();
  const [isIdle, setIdle] = useState(false);
  useEffect(() => void whenIdle().then(() => setIdle(true)), []);
  const { data } = useQuery({ ...partnerQuery, enabled: isIdle && scope === 'partner' });
  return formatLocale({ ...data?.settings }, ofBrowser());
}
