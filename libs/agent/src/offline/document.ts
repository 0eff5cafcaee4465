import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import type { TimeWindow } from './time-window.ts';

export type OfflineVerdict = 'deny' | 'ask';
export type Criterion = 'signer' | 'signers' | 'hash' | 'pathGlob' | 'parentImage' | 'commandLine' | 'user' | 'adGroup';

export interface OfflineRule {
  readonly ruleId: string;
  readonly verdict: OfflineVerdict;
  readonly where: Readonly<Partial<Record<Criterion, string | readonly string[]>>>;
  readonly not?: readonly Criterion[];
  readonly timeWindow?: TimeWindow;
  readonly expiresAt?: string;
}

export interface SoftwareLine {
  readonly sha256?: string;
  readonly signer?: string;
  readonly publisher?: string;
  readonly pathGlob?: string;
}

export interface OfflinePolicy {
  readonly policyId: string;
  readonly verdict: OfflineVerdict;
  readonly software: readonly SoftwareLine[];
}

export interface OfflineClaims {
  readonly iss: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly orgId: string;
  readonly siteId: string;
  readonly rulebookVersion: number;
  readonly floor: readonly OfflineRule[];
  readonly rules: readonly (OfflineRule | OfflinePolicy)[];
  readonly otherwise: OfflineVerdict;
  readonly complete: boolean;
}

export interface KeySet {
  readonly keys: readonly (JsonWebKey & { readonly kid?: string })[];
}

const TYPE = 'gatehouse-offline-rules+jwt';
const ISSUER = 'gatehouse';

const decoded = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());

function isSignedBy({ keys }: KeySet, kid: string, [header, payload, signature]: readonly string[]): boolean {
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk?.kty !== 'EC' || jwk.crv !== 'P-256') return false;
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${header}.${payload}`);
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature ?? '', 'base64url'));
}

/**
 * Verifies a document of offline rules: its type, its signature and that it was made for this device. Its times are
 * not compared with a clock here, because the clock of a device need not be right.
 * @throws Error
 */
export function verifiedClaims(jws: string, keys: KeySet, deviceId: string): OfflineClaims {
  const parts = jws.split('.');
  const { alg, typ, kid } = decoded(parts[0] ?? '') as Readonly<Record<'alg' | 'typ' | 'kid', unknown>>;
  if (parts.length !== 3 || alg !== 'ES256' || typ !== TYPE) throw new Error('this is no document of offline rules');
  if (!isSignedBy(keys, String(kid), parts)) throw new Error('the offline rules are not signed by a known key');
  const claims = decoded(parts[1] ?? '') as OfflineClaims;
  if (claims.iss !== ISSUER || claims.aud !== deviceId) throw new Error('the offline rules are for another device');
  return claims;
}
