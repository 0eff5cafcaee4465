import { patternOf, readDate } from './read-date.ts';

describe('the text of a date', () => {
  it.each([
    ['08/11/2026', 'DD/MM/YYYY'],
    ['11/08/2026', 'MM/DD/YYYY'],
    ['2026-11-08, 21:05', 'YYYY-MM-DD, HH:mm'],
    ['8 Nov 2026, 09:05 pm', 'D MMM YYYY, hh:mm a'],
    ['Nov 8, 2026, 9:05\u202fPM', 'MMM D, YYYY, h:mm a'],
  ])('%j has the pattern %s', (example, pattern) => expect(patternOf(example)).toBe(pattern));

  it.each([
    ['01/02/2026', 'DD/MM/YYYY', '2026-02-01'],
    ['1/2/2026', 'DD/MM/YYYY', '2026-02-01'],
    ['01/02/2026', 'MM/DD/YYYY', '2026-01-02'],
    ['2026-02-01', 'MM/DD/YYYY', '2026-02-01'],
    ['4 Sept 2026', 'D MMM YYYY', '2026-09-04'],
    ['4.9.2026', 'D MMM YYYY', '2026-09-04'],
    ['09/04/2026, 7:30 am', 'MMM D, YYYY, h:mm a', '2026-09-04T07:30'],
    ['29/11/2026, 9:05', 'DD/MM/YYYY, HH:mm', '2026-11-29T09:05'],
    ['11/29/2026, 9:05\u202fPM', 'MM/DD/YYYY, h:mm a', '2026-11-29T21:05'],
    ['2026-11-29T21:05', 'MM/DD/YYYY, h:mm a', '2026-11-29T21:05'],
    [' ', 'DD/MM/YYYY', ''],
  ])('%j as %s is %s', (text, pattern, date) => expect(readDate(text, pattern)).toBe(date));

  it.each(['31/02/2026', '12/31/2026', '1/2', '1/2/26', 'tomorrow', '29/11/2026, 25:00'])('%s is no date', (text) =>
    expect(readDate(text, 'DD/MM/YYYY')).toBeNull(),
  );
});
