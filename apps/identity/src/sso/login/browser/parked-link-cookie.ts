export const PARKED_LINK_COOKIE = 'svc_sso_link';
const PATH = '/api/v1/sso/link';
const SECONDS = 600;

/** Carries the token of a parked link to the confirmation route only. */
export const parkedLinkCookie = (token: string, secure: boolean): string =>
  `${PARKED_LINK_COOKIE}=${token}; Path=${PATH}; Max-Age=${token ? SECONDS : 0}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;

const CARRIED = new RegExp(`(?:^|;\\s*)${PARKED_LINK_COOKIE}=([A-Za-z0-9_-]{43})(?:;|$)`);

/** Returns the token in a Cookie header, or null. */
export const parkedLinkIn = (header: string | undefined): string | null => CARRIED.exec(header ?? '')?.[1] ?? null;
