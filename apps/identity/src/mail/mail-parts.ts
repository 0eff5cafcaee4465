import type { Mail } from './mailer.ts';

/** A mail that leads to one page of ours, or holds a code to type there. Every member is plain text. */
type MailContent = {
  readonly to: string;
  readonly subject: string;
  readonly opening: string;
  readonly invitation: string;
  readonly closing: string;
} & (
  | {
      /** The words on the button. */
      readonly action: string;
      readonly link: string;
    }
  | { readonly code: string }
);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

const BUTTON =
  'display: inline-block; padding: 12px 20px; border-radius: 6px; background: #1f5fbf; color: #ffffff; text-decoration: none';

/** The link stands whole on a line of its own, so that it can be copied from the source of the mail. */
const textOf = ({ opening, invitation, closing, ...shown }: MailContent): string =>
  `${opening}\n\n${invitation}\n${'code' in shown ? shown.code : shown.link}\n\n${closing}\n`;

const shownIn = (content: MailContent): string =>
  'code' in content
    ? `<p style="font-size: 24px; letter-spacing: 4px"><strong>${escaped(content.code)}</strong></p>`
    : `<p><a style="${BUTTON}" href="${escaped(content.link)}">${escaped(content.action)}</a></p>
<p>Or copy this address:<br>
${escaped(content.link)}
</p>`;

const htmlOf = (content: MailContent): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(content.subject)}</title>
</head>
<body style="margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif">
<p><strong>Gatehouse</strong></p>
<p>${escaped(content.opening)}</p>
<p>${escaped(content.invitation)}</p>
${shownIn(content)}
<p>${escaped(content.closing)}</p>
</body>
</html>
`;

/** Builds a mail as text and as HTML; both say the same. */
export const mailOf = (content: MailContent): Mail => ({
  to: content.to,
  subject: content.subject,
  text: textOf(content),
  html: htmlOf(content),
});

/**
 * Builds a MIME part of text as 7bit or 8bit (RFC 2045 2.7, 2.8): its lines stay as they are, which quoted-printable
 * would break. The longest line is far below the 998 characters of RFC 5322.
 */
export function textPart(kind: 'plain' | 'html', text: string): { raw: string } {
  const encoding = /^[\0-\x7f]*$/.test(text) ? '7bit' : '8bit';
  const headers = `Content-Type: text/${kind}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return { raw: headers + text.replaceAll('\n', '\r\n') };
}

const MAX_NAME = 80;
/**
 * Control, format (bidirectional, zero-width), private and unassigned characters, surrogates, line and paragraph
 * separators.
 */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** A scheme, a path, a mail address, or words joined by a dot as in a domain or an IP address. */
const ADDRESS = /[@/\\:<>]|[\p{L}\p{N}]\.[\p{L}\p{N}]{2,}|\d\.\d|^www\./u;

/**
 * Makes a user-chosen name safe for a mail: one line of text without addresses, so that an attacker cannot write to
 * strangers, or lead them to another site, in the product's name. Compatibility forms such as a fullwidth dot are
 * replaced by their plain form (NFKC).
 * @param name any text
 * @param otherwise used when nothing of the name is left
 * @returns at most 80 characters
 */
export function nameInMail(name: string, otherwise: string): string {
  const words = name.normalize('NFKC').replaceAll('\u3002', '.').replace(UNPRINTABLE, ' ').split(/\s+/u);
  const said = words.filter((word) => word !== '' && !ADDRESS.test(word)).join(' ');
  return [...said].slice(0, MAX_NAME).join('').trim() || otherwise;
}
