import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { userByEmail, type DevUser } from '../dev-users.ts';
import { readForm } from '../read-form.ts';
import { signInPage } from '../sign-in-page.ts';

export const isInteraction = (path: string): boolean => path.startsWith('/interaction/');

/** Shows the sign-in page (GET) or signs the person in and goes back to the authorization request (POST). */
export async function interact(
  provider: Provider,
  users: readonly DevUser[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uid, params } = await provider.interactionDetails(request, response);
  const form = request.method === 'POST' ? await readForm(request) : undefined;
  const email = form?.get('email') ?? params['login_hint'] ?? '';
  const user = form && userByEmail(users, email);
  if (user) {
    await provider.interactionFinished(request, response, { login: { accountId: user.sub, amr: user.amr } });
    return;
  }
  const failure = form ? 'No user here has this e-mail address.' : undefined;
  const knownEmails = users.map((known) => known.email);
  response.writeHead(form ? 401 : 200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(signInPage({ action: `/interaction/${uid}`, email, knownEmails, failure }));
}
