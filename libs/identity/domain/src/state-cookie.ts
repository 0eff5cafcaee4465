/** SSO-11. Its path differs by protocol: the one place that reads it. */
export const STATE_COOKIE = 'svc_sso_state';
export const STATE_COOKIE_SECONDS = 600;
/** Keeps these signatures apart from every other use of the key. */
export const STATE_PURPOSE = 'sso-state-cookie';

const FORM = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

export const stateCookieValue = (state: string, mac: string): string => `${state}.${mac}`;

/** The two halves of a cookie that has the right form; whether the signature holds is for the key ring to say. */
export function parseStateCookie(value: string | undefined): { readonly state: string; readonly mac: string } | null {
  const [, state, mac] = FORM.exec(value ?? '') ?? [];
  return state && mac ? { state, mac } : null;
}
