import type { ConsentPrompt } from '../protocol.ts';
import { decideOffline } from './decide-offline.ts';
import type { OfflineClaims, OfflineVerdict } from './document.ts';

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

const SECOND_MS = 1000;

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

/** What the agent does with a prompt while it is offline; without usable rules it asks. It never grants. */
export function offlineVerdict(kept: KeptRules | null, prompt: ConsentPrompt, now: number): OfflineVerdict {
  if (kept === null || !isUsable(kept, now)) return 'ask';
  const clockIsAheadBy = kept.expiresAt - kept.claims.exp * SECOND_MS;
  return decideOffline(kept.claims, prompt, new Date(now - clockIsAheadBy));
}
