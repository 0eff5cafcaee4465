import type { Claims, ScriptedIdp } from '@gatehouse/dev-idp';
import { type Api, type ApiAnswer } from '@gatehouse/stack';
import { PASSWORD, sessionIn } from './person.ts';

/** A browser's cookies without regard to their path, because attackers can send any cookie. */
class Jar {
  private readonly cookies = new Map<string, string>();

  keep({ headers }: Pick<ApiAnswer, 'headers'>): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  }

  get header(): Record<string, string> {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  }
}

const landing = ({ headers }: Pick<ApiAnswer, 'headers'>): string => headers.get('location') ?? '';

/**
 * Follows the provider's page, which signs in without a prompt, back to the product.
 * @returns the address at which the browser ends
 */
async function throughProvider(anonymous: Api, jar: Jar, authorizeUrl: string): Promise<string> {
  const back = await fetch(authorizeUrl, { redirect: 'manual' }).catch(() => null);
  if (!back?.headers.get('location')) return '';
  const { search } = new URL(back.headers.get('location') ?? '');
  const answer = await anonymous.call('GET', `/sso/callback${search}`, undefined, jar.header);
  jar.keep(answer);
  return landing(answer);
}

async function exchange(anonymous: Api, jar: Jar, landed: string): Promise<Api | null> {
  const code = /#ssoCode=([\w-]+)/.exec(landed)?.[1];
  if (!code) return null;
  const { body } = await anonymous.call('POST', '/sso/exchange', { code }, jar.header);
  return sessionIn(body, anonymous);
}

/**
 * Performs one single sign-on. Where the account must be proven, the test tries the attackers' own password.
 * @param start path where the sign-in begins
 * @returns the session, or null where the sign-in was refused
 */
export async function signInThrough(
  anonymous: Api,
  start: string,
  idp: ScriptedIdp,
  identity: Claims,
): Promise<Api | null> {
  const jar = new Jar();
  idp.identity = identity;
  const begun = await anonymous.call('GET', start);
  // The attackers have no account at other providers.
  if (!landing(begun).startsWith(idp.issuer)) return null;
  jar.keep(begun);
  const landed = await throughProvider(anonymous, jar, landing(begun));
  if (!landed.includes('link_required')) return exchange(anonymous, jar, landed);
  const { body } = await anonymous.call('POST', '/sso/link/confirm', { password: PASSWORD }, jar.header);
  return sessionIn(body, anonymous);
}

/** Links an identity of the provider to the account of a session. */
export async function linkThrough(session: Api, providerId: string, idp: ScriptedIdp, identity: Claims): Promise<void> {
  const jar = new Jar();
  idp.identity = identity;
  const started = await session.call('POST', `/sso/link/start/${providerId}`, {});
  const authUrl = String(started.body['authUrl']);
  if (!authUrl.startsWith(idp.issuer)) return;
  jar.keep(started);
  await throughProvider(session, jar, authUrl);
}
