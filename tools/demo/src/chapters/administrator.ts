import { text, type ProductClient } from '../product-client.ts';
import { signInAdministrator } from '../sign-in.ts';
import type { Tour } from '../journey.ts';

/** Signs the administrator in. The access token for the further chapters comes from a rotated refresh token. */
export async function administrator({ journey, product, settings, run }: Tour): Promise<ProductClient> {
  journey.chapter('The administrator signs in');
  await journey.step('the product is up', 200, () => product.fetch('/healthz'));
  await journey.step(
    'a stranger is refused',
    401,
    () => product.post('/auth/login', { email: `stranger-${run}@nowhere.example`, password: 'whatever-it-takes' }),
    { shows: ['code'] },
  );
  const signedIn = await journey.step(
    'password and one-time code open a session',
    200,
    () => signInAdministrator(product, settings.administrator),
    { shows: ['expiresInSeconds'] },
  );
  const refreshed = await journey.step(
    'a refresh token is exchanged for a fresh pair',
    200,
    () => product.post('/auth/refresh', { refreshToken: text(signedIn.body, 'refreshToken') }),
    { holds: (body) => body['refreshToken'] !== signedIn.body['refreshToken'] },
  );
  const admin = product.as(text(refreshed.body, 'accessToken'));
  await journey.step('the session is one of system scope, with MFA', 200, () => admin.get('/auth/me'), {
    shows: ['scope', 'mfa'],
  });
  return admin;
}
