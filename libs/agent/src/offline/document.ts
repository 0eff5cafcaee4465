import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';

/** HH:MM in 24 hours, both ends inclusive; days 0 to 6 from Sunday; UTC unless a zone is named. */
interface TimeWindow {
  readonly start: string;
  readonly end: string;
  readonly days?: readonly number[];
  readonly timezone?: string;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const HOUR_MINUTES = 60;

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * HOUR_MINUTES + Number(clock.slice(3));

/**
 * Whether the window is open at an instant. A window whose start is after its end wraps past midnight and belongs to
 * the day on which it began.
 * @throws RangeError for an unknown zone
 */
export function isOpen({ start, end, days, timezone = 'UTC' }: TimeWindow, at: Date): boolean {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const day = WEEKDAYS.indexOf(parts.get('weekday') ?? '');
  const minute = Number(parts.get('hour')) * HOUR_MINUTES + Number(parts.get('minute'));
  const [from, to] = [minuteOf(start), minuteOf(end)];
  const openOn = (weekday: number): boolean => !days || days.includes(weekday);
  if (from <= to) return minute >= from && minute <= to && openOn(day);
  if (minute >= from) return openOn(day);
  return minute <= to && openOn((day + WEEKDAYS.length - 1) % WEEKDAYS.length);
}

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

/**
 * A verified document and how long it may be used. An agent stores it as it stores its token, and needs no network to
 * use it again.
 */
export interface KeptRules {
  readonly claims: OfflineClaims;
  /** By the clock of the device, in milliseconds: when the document arrived, and when it expires. */
  readonly receivedAt: number;
  readonly expiresAt: number;
}

export const SECOND_MS = 1000;

/**
 * @param validForSeconds what the product says about the rest of the lifetime; never more than the document itself
 * says
 */
export function keptRules(claims: OfflineClaims, validForSeconds: number, now: number): KeptRules {
  const seconds = Math.min(validForSeconds, claims.exp - claims.iat);
  return { claims, receivedAt: now, expiresAt: now + seconds * SECOND_MS };
}

/** Whether the document may be used; a clock that was set back ends it too. */
export const isUsable = ({ receivedAt, expiresAt }: KeptRules, now: number): boolean =>
  now >= receivedAt && now < expiresAt;

/** The product never takes a version back, so an older one of the same organisation is a copy from the past. */
export const isOutdated = (claims: OfflineClaims, kept: KeptRules | null, now: number): boolean =>
  kept !== null &&
  isUsable(kept, now) &&
  claims.orgId === kept.claims.orgId &&
  claims.rulebookVersion < kept.claims.rulebookVersion;
