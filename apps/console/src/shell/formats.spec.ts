import { type BrowserFormats, formatsOf } from './formats.ts';

describe('dates and times', () => {
  it('follow the settings of the partner, whatever the browser is used to', () => {
    expect(written({ dateFormat: 'DD/MM/YYYY', timeFormat: '24h' }, AMERICAN)).toBe('24/11/2026, 14:05');
    expect(written({ dateFormat: 'YYYY-MM-DD', timeFormat: '24h' }, AMERICAN)).toBe('2026-11-24, 14:05');
    expect(written({ dateFormat: 'MM/DD/YYYY', timeFormat: '12h' }, NORWEGIAN)).toMatch(/^11\/24\/2026, 2:05\sPM$/);
  });

  it('follow the browser where the partner has set nothing, in English', () => {
    expect(written({}, NORWEGIAN)).toBe('24 Nov 2026, 14:05');
    expect(written({}, AMERICAN)).toMatch(/^Nov 24, 2026, 2:05\sPM$/);
  });
});

const NORWEGIAN = { language: 'nb-NO', hourCycle: 'h23' };
const AMERICAN = { language: 'en-US', hourCycle: 'h12' };
const at = Date.UTC(2026, 10, 24, 14, 5);
const written = (settings: Readonly<Record<string, unknown>>, browser: BrowserFormats) => {
  const { locale, formats } = formatsOf(settings, browser);
  return new Intl.DateTimeFormat(locale, { ...formats.dateTime.moment, timeZone: 'UTC' }).format(at);
};
