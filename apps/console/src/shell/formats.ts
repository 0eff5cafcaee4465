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

/** How dates and times are written: as the partner's settings say, and where they say nothing as the browser does. */
export function formatsOf(settings: Readonly<Record<string, unknown>>, browser: BrowserFormats) {
  const chosen = LOCALES[String(settings['dateFormat'])];
  const locale = chosen ?? english(browser.language);
  const clock = CLOCKS[String(settings['timeFormat'])] ?? browser.hourCycle;
  const inDigits = '2-digit' as const;
  const day = { year: 'numeric', month: chosen ? inDigits : 'short', day: chosen ? inDigits : 'numeric' } as const;
  const moment = { ...day, hour: clock === 'h23' ? inDigits : 'numeric', minute: inDigits } as const;
  const second = { ...moment, second: inDigits } as const;
  return {
    locale: clock ? `${locale}-u-hc-${clock}` : locale,
    formats: { dateTime: { day, moment, second, zoned: { ...second, timeZoneName: 'short' } as const } },
  };
}

const ofBrowser = (): BrowserFormats => {
  const { hourCycle } = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions();
  return { language: navigator.language, hourCycle };
};

/** Of the feature of the partner's settings: what is saved there shows here at once. */
const formatsQuery = getQuery('settings', '/orgs/partners/me/formats', {});

/** The formats of all dates and times in the console; the partner's settings are read after the first view. */
export function useFormats() {
  const { scope } = useMe();
  const [isIdle, setIdle] = useState(false);
  useEffect(() => void whenIdle().then(() => setIdle(true)), []);
  const { data } = useQuery({ ...formatsQuery, enabled: isIdle && scope !== 'system' });
  return formatsOf({ ...data }, ofBrowser());
}
