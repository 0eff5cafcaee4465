import { formatLocale } from './formats.ts';

const NORWEGIAN = { language: 'nb-NO', hourCycle: 'h23' };
const AMERICAN = { language: 'en-US', hourCycle: 'h12' };
const at = Date.UTC(2026, 10, 24, 14, 5);
const written = (locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' }).format(at);

describe('dates and times', () => {
  it('follow the settings of the partner, whatever the browser is used to', () => {
    expect(written(formatLocale({ dateFormat: 'DD/MM/YYYY', timeFormat: '24h' }, AMERICAN))).toBe('24/11/2026, 14:05');
    expect(written(formatLocale({ dateFormat: 'YYYY-MM-DD', timeFormat: '24h' }, AMERICAN))).toBe('2026-11-24, 14:05');
    expect(written(formatLocale({ dateFormat: 'MM/DD/YYYY', timeFormat: '12h' }, NORWEGIAN))).toMatch(
      /^11\/24\/26, 2:05\sPM$/,
    );
  });

  it('follow the browser where the partner has set nothing, in English', () => {
    expect(written(formatLocale({}, NORWEGIAN))).toBe('24/11/2026, 14:05');
    expect(written(formatLocale({}, AMERICAN))).toMatch(/PM$/);
  });
});
