const CREDENTIALS = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*@/i;

/**
 * OpenID Connect Discovery 1.0, 3: an issuer has neither query nor fragment.
 * @returns a readable description of the fault, or null
 */
export function issuerFault(issuer: string): string | null {
  if (CREDENTIALS.test(issuer)) return 'must not carry credentials';
  return /[?#]/.test(issuer) ? 'must not have a query or a fragment' : null;
}

/**
 * RFC 6749 3.1 and 3.2: an endpoint may have a query, but no fragment.
 * @returns a readable description of the fault, or null
 */
export function endpointFault(url: string): string | null {
  if (CREDENTIALS.test(url)) return 'must not carry credentials';
  return url.includes('#') ? 'must not have a fragment' : null;
}
