import { GatehouseError, type Problem } from '@gatehouse/client';

/** The access token lives here and nowhere else; the refresh token is in a cookie that scripts cannot read. */
let accessToken: string | null = null;
let renewalTimer: ReturnType<typeof setTimeout> | undefined;

const RENEW_AFTER = 0.8;
const LOCK = 'gatehouse-refresh';
const REFRESH = '/api/v1/auth/refresh';
const LOST_ANSWER_RETRIES = 2;

type SessionMessage = 'ended' | 'switched';
const tabs = new BroadcastChannel('gatehouse-session');

export const currentToken = (): string | null => accessToken;

/** Seconds that a token lives, by its own claims. */
function lifetimeOf(token: string): number {
  const payload = token.split('.')[1] ?? '';
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { iat: number; exp: number };
  return claims.exp - claims.iat;
}

/** Keeps a new access token, and renews the session when four fifths of the token's life are over. */
export function keepToken(token: string): void {
  accessToken = token;
  clearTimeout(renewalTimer);
  renewalTimer = setTimeout(() => void renewSession(token), lifetimeOf(token) * RENEW_AFTER * 1000);
}

/** A lost answer is repeated at once: the server accepts the rotated cookie for ten seconds more. */
async function postRefresh(attempts = LOST_ANSWER_RETRIES): Promise<Response> {
  try {
    return await fetch(REFRESH, { method: 'POST' });
  } catch (error) {
    if (attempts === 0) throw error;
    return postRefresh(attempts - 1);
  }
}

/**
 * Renews the session with the cookie, in one tab at a time.
 * @param expired the token that the caller found expired; another call may have replaced it already
 * @returns whether there is a living session
 * @throws GatehouseError if the server cannot tell
 */
export function renewSession(expired: string | null = accessToken): Promise<boolean> {
  return navigator.locks.request(LOCK, async () => {
    if (accessToken !== expired) return accessToken !== null;
    const response = await postRefresh();
    if (response.ok) {
      keepToken(((await response.json()) as { accessToken: string }).accessToken);
      return true;
    }
    if (response.status === 401) return false;
    throw new GatehouseError(response.status, (await response.json().catch(() => null)) as Problem | null);
  });
}

/** Trades the one-time code that a single sign-on leaves in the fragment for a session, and cleans the address. */
export async function takeSsoCode(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('ssoCode');
  if (code === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  const response = await fetch('/api/v1/sso/exchange', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, session: 'cookie' }),
  });
  if (response.ok) keepToken(((await response.json()) as { accessToken: string }).accessToken);
}

/** Leaves for the sign-in page, which leads back here. */
export function goToSignIn(error?: 'session_ended'): void {
  const query = new URLSearchParams({ ...(error && { error }), redirect: location.pathname + location.search });
  location.replace(`/login?${query}`);
}

/** This tab forgets the session and goes to the sign-in page, once: a second navigation would abort the first. */
function leaveSession(): void {
  if (accessToken === null) return;
  accessToken = null;
  clearTimeout(renewalTimer);
  goToSignIn('session_ended');
}

/** The session is over: this tab and all others leave it. */
export function endSession(): void {
  if (accessToken !== null) tabs.postMessage('ended' satisfies SessionMessage);
  leaveSession();
}

/** Another membership is another session: this tab and all others load everything anew. */
export function reloadAfterSwitch(): void {
  tabs.postMessage('switched' satisfies SessionMessage);
  location.replace('/');
}

/** Follows what other tabs do with the session. */
export function followOtherTabs(): void {
  tabs.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => {
    if (data === 'ended') leaveSession();
    else location.replace('/');
  });
}
