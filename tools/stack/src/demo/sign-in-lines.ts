import { encode, renderUnicodeCompact } from 'uqr';
import { Api } from '../api.ts';
import type { DemoSignIn } from './demo.ts';

const WIDTH = 19;
const GAP = '  ';
const DEFAULT_COLUMNS = 80;

const row = (name: string, value: string): string => `  ${name.padEnd(WIDTH)} ${value}`;

/** How one person signs in: address, password or provider, and the present code of the authenticator. */
export async function signInLines({ who, email, password, totpSecret, url, note }: DemoSignIn): Promise<string[]> {
  return [
    row(who, [email, note].filter(Boolean).join('  ')),
    ...(password ? [row('  password', password)] : []),
    ...(totpSecret ? [row('  code now', `${await Api.codeFor(totpSecret)}  (authenticator key ${totpSecret})`)] : []),
    ...(url ? [row('  sign in', url)] : []),
  ];
}

/** As short as it may be, so that two codes fit beside each other into 80 columns. */
const enrolmentOf = ({ email, totpSecret }: DemoSignIn): string =>
  `otpauth://totp/${email}?secret=${totpSecret}&issuer=Gatehouse`;

function qrCodeOf(person: DemoSignIn): string[] {
  const text = enrolmentOf(person);
  const lines = renderUnicodeCompact(text, { border: 1 }).split('\n');
  const { size } = encode(text, { border: 1 });
  return [person.email.padEnd(size), ...lines];
}

/** The QR codes for an authenticator app, side by side as far as the terminal is wide enough. */
export function qrCodeLines(people: readonly DemoSignIn[], columns = DEFAULT_COLUMNS): string[] {
  const codes = people.filter(({ totpSecret }) => totpSecret).map(qrCodeOf);
  const widest = Math.max(1, ...codes.map(([heading = '']) => heading.length));
  const perRow = Math.max(1, Math.floor((columns + GAP.length) / (widest + GAP.length)));
  const lines: string[] = [];
  for (let at = 0; at < codes.length; at += perRow) {
    const beside = codes.slice(at, at + perRow);
    const height = Math.max(...beside.map(({ length }) => length));
    for (let line = 0; line < height; line++)
      lines.push(beside.map((code) => (code[line] ?? '').padEnd(widest)).join(GAP));
    lines.push('');
  }
  return lines;
}
