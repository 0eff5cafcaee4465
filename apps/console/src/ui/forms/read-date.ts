import dayjs from 'dayjs';
import customParseFormat from 'dayjs/plugin/customParseFormat.js';

dayjs.extend(customParseFormat);

/** A moment whose parts all differ: how it is written tells how dates are. */
export const EXAMPLE = new Date(2026, 10, 8, 21, 5);
const PARTS: Readonly<Record<string, string>> = {
  2026: 'YYYY',
  Nov: 'MMM',
  11: 'MM',
  '08': 'DD',
  8: 'D',
  21: 'HH',
  '09': 'hh',
  9: 'h',
  '05': 'mm',
  pm: 'a',
};

/** As dayjs reads it. Browsers put a narrow space before PM, p.m. or pm, and write September with four letters. */
const plain = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s/gu, ' ')
    .replace(/\bSept\b/iu, 'Sep')
    .replace(/\b([ap])\.?m\b\.?/iu, (_, half: string) => `${half.toLowerCase()}m`);

/** The pattern of dayjs in which the example is written: `8 Nov 2026, 21:05` → `D MMM YYYY, HH:mm`. */
export const patternOf = (example: string): string =>
  plain(example).replaceAll(/\d+|[a-z]+/giu, (part) => PARTS[part] ?? `[${part}]`);

const TIME = /,? h{1,2}:mm(?: a)?$/iu;

/** A pattern without leading zeros, and the same order in digits: `DD MMM YYYY` → `D MMM YYYY`, `D/M/YYYY`. */
function shortened(pattern: string): readonly string[] {
  const short = pattern.replaceAll(/\b([DMHh])\1\b/gu, '$1');
  const [time = ''] = TIME.exec(short) ?? [];
  const parts = short.replace(TIME, '').match(/YYYY|[DM]/gu) ?? [];
  return [short, [...new Set(parts)].join('/') + time];
}

/**
 * Reads what a person typed: in the pattern in which dates are written, in digits in its order, or as ISO 8601 writes
 * it; leading zeros may be missing.
 * @returns as date fields hold it, `2026-11-27` or `2026-11-27T14:30`; empty for no text, null for no date
 */
export function readDate(text: string, pattern: string): string | null {
  const typed = plain(text);
  if (typed === '') return '';
  const iso = TIME.test(pattern) ? 'YYYY-MM-DDTHH:mm' : 'YYYY-MM-DD';
  const short = typed.replaceAll(/(?<!:)\b0(?=\d)/gu, '');
  const slashed = short.replace(/^(\d+)[./-](\d+)[./-](?=\d)/u, '$1/$2/');
  const [written, digits] = shortened(pattern);
  const read = [dayjs(typed, iso, true), dayjs(short, written, true), dayjs(slashed, digits, true)];
  return read.find((one) => one.isValid())?.format(iso) ?? null;
}
