/** One year, in seconds. */
const HSTS = 'max-age=31536000; includeSubDomains';

/** Headers that protect the browser, sent with every answer (OWASP ASVS 5.0, 3.4). */
const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** @param production whether the product is reached by https only */
export const protectiveHeaders = (production: boolean): Readonly<Record<string, string>> => ({
  ...ALWAYS,
  ...(production && { 'strict-transport-security': HSTS }),
});
