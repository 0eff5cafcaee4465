import type { IncomingMessage } from 'node:http';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** One plain page without scripts, so that a screen reader, curl and a test can all use it. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(title)}</title>
<style>body{font:1rem/1.5 system-ui;max-width:32rem;margin:3rem auto;padding:0 1rem}label{display:block;margin:1rem 0 .25rem}
input{font:inherit;width:100%;padding:.5rem;box-sizing:border-box}button{font:inherit;margin-top:1.5rem;padding:.5rem 1.5rem}</style></head>
<body><main><h1>${escapeMarkup(title)}</h1>
${body}
</main></body></html>`;
}

export interface SignInPage {
  readonly action: string;
  readonly email: string;
  readonly knownEmails: readonly string[];
  readonly failure?: string;
  readonly hidden?: Readonly<Record<string, string>>;
}

export function signInPage({ action, email, knownEmails, failure, hidden = {} }: SignInPage): string {
  const alert = failure ? `<p role="alert"><strong>${escapeMarkup(failure)}</strong></p>` : '';
  const kept = Object.entries(hidden)
    .map(([name, value]) => `<input type="hidden" name="${escapeMarkup(name)}" value="${escapeMarkup(value)}">`)
    .join('');
  return page(
    'Sign in to the demo identity provider',
    `${alert}
<form method="post" action="${escapeMarkup(action)}">${kept}
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required autofocus value="${escapeMarkup(email)}">
<label for="password">Password (any will do)</label>
<input id="password" name="password" type="password" autocomplete="current-password">
<button type="submit">Sign in</button>
</form>
<p>Known here: ${knownEmails.map(escapeMarkup).join(', ')}</p>`,
  );
}

const LARGEST_FORM = 1_000_000;

/** The body of a form post. @throws when it is larger than one megabyte */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_FORM) throw new Error('form too large');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
