/**
 * The session of this browser, and the one way in which the pages call the API. The refresh token is in a cookie that
 * scripts cannot read, and the access token lives as long as the page.
 */
let accessToken = null;

/** What is about to give the page its token, for which calls wait: people click before it is there. */
let opening;

const open = (answer) => (opening = answer.then(keep));

/** Asks sign-in to keep the refresh token in the cookie. */
export const IN_COOKIE = { session: 'cookie' };

export class Problem extends Error {
  constructor({ code, detail }) {
    super(detail ?? 'Something went wrong.');
    this.code = code;
  }
}

export const keep = (answer) => {
  accessToken = answer.accessToken;
};
export const forget = () => {
  accessToken = null;
};

async function send(method, path, body) {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(answer);
  return answer;
}

/** Continues the session that the cookie stands for. @throws Problem if there is none */
export async function restore() {
  forget();
  const refresh = () => send('POST', '/auth/refresh');
  // As all pages of the product: one tab renews at a time.
  await open(navigator.locks ? navigator.locks.request('gatehouse-refresh', refresh) : refresh());
}

/** Calls the API; a token that has run out is renewed once. @throws Problem */
export async function call(method, path, body) {
  await opening?.catch(() => undefined);
  try {
    return await send(method, path, body);
  } catch (problem) {
    if (problem.code !== 'token_expired') throw problem;
    await restore();
    return send(method, path, body);
  }
}

/**
 * Takes the one-time code that a single sign-on leaves in the address and turns it into a session. @returns whether
 * there was one
 */
export async function takeSsoCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get('ssoCode');
  if (!code) return false;
  history.replaceState(null, '', location.pathname + location.search);
  await open(send('POST', '/sso/exchange', { code, ...IN_COOKIE }));
  return true;
}

/** A path on this host, or the home of whoever signs in. */
export function safePath(path) {
  if (!path || !/^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(path)) return '/';
  const target = new URL(path, location.origin);
  return target.origin === location.origin && !target.pathname.startsWith('//') ? target.pathname + target.search : '/';
}

const LAST = 'gatehouse.last-provider';

/** The provider that this browser was sent to last, which is no secret. Browsers may refuse to keep it. */
export const lastProvider = {
  keep({ providerName, loginUrl }) {
    try {
      localStorage.setItem(LAST, JSON.stringify({ providerName, loginUrl }));
    } catch {
      // Signing in works without it.
    }
  },
  read() {
    try {
      const kept = JSON.parse(localStorage.getItem(LAST));
      return String(kept?.loginUrl).startsWith('/api/v1/sso/') ? kept : null;
    } catch {
      return null;
    }
  },
};
