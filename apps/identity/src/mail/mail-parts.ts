import type { Mail } from './mailer.ts';

/** A mail that leads to one page of ours. Every member is plain text. */
interface MailContent {
  readonly to: string;
  readonly subject: string;
  readonly opening: string;
  readonly invitation: string;
  /** The words on the button. */
  readonly action: string;
  readonly link: string;
  readonly closing: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '');

const BUTTON =
  'display: inline-block; padding: 12px 20px; border-radius: 6px; background: #1f5fbf; color: #ffffff; text-decoration: none';

/** The link stands whole on a line of its own, so that it can be copied from the source of the mail. */
const textOf = ({ opening, invitation, link, closing }: MailContent): string =>
  `${opening}\n\n${invitation}\n${link}\n\n${closing}\n`;

const htmlOf = ({ subject, opening, invitation, action, link, closing }: MailContent): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(subject)}</title>
</head>
<body style="margin: 0; padding: 24px; font: 16px/1.5 system-ui, sans-serif">
<p><strong>Gatehouse</strong></p>
<p>${escaped(opening)}</p>
<p>${escaped(invitation)}</p>
<p><a style="${BUTTON}" href="${escaped(link)}">${escaped(action)}</a></p>
<p>The same address, to copy:<br>
${escaped(link)}
</p>
<p>${escaped(closing)}</p>
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
