/** The session of this browser tab, and the one way in which the pages call the API. */
const KEY = 'gatehouse.session';

export class Problem extends Error {
  constructor({ code, detail }) {
    super(detail ?? 'Something went wrong.');
    this.code = code;
  }
}

const stored = () => JSON.parse(sessionStorage.getItem(KEY) ?? 'null');
export const keep = ({ accessToken, refreshToken }) =>
  sessionStorage.setItem(KEY, JSON.stringify({ accessToken, refreshToken }));
export const forget = () => sessionStorage.removeItem(KEY);
export const isSignedIn = () => stored() !== null;

async function send(method, path, body) {
  const token = stored()?.accessToken;
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(answer);
  return answer;
}

async function refresh() {
  const { refreshToken } = stored();
  forget();
  keep(await send('POST', '/auth/refresh', { refreshToken }));
}

/** Calls the API; a token that has run out is renewed once. @throws Problem */
export async function call(method, path, body) {
  try {
    return await send(method, path, body);
  } catch (problem) {
    if (problem.code !== 'token_expired' || !isSignedIn()) throw problem;
    await refresh();
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
  keep(await send('POST', '/sso/exchange', { code }));
  return true;
}

/** A path on this host, or the profile. */
export function safePath(path) {
  if (!path || !/^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(path)) return '/settings/profile';
  const target = new URL(path, location.origin);
  return target.origin === location.origin && !target.pathname.startsWith('//')
    ? target.pathname + target.search
    : '/settings/profile';
}
