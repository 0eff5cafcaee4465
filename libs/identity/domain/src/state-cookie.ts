/** SSO-11. The cookie's path is the callback of its protocol, the only route that reads it. */
export const STATE_COOKIE = 'svc_sso_state';
export const STATE_COOKIE_SECONDS = 600;
/** Separates these signatures from every other use of the key. */
export const STATE_PURPOSE = 'sso-state-cookie';

const FORM = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

export const stateCookieValue = (state: string, mac: string): string => `${state}.${mac}`;

/** Splits a well-formed cookie into state and signature; the key ring verifies the signature. */
export function parseStateCookie(value: string | undefined): { readonly state: string; readonly mac: string } | null {
  const [, state, mac] = FORM.exec(value ?? '') ?? [];
  return state && mac ? { state, mac } : null;
}
