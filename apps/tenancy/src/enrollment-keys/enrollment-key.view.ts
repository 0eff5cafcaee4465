import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { EnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Conditions, scoped } from '@gatehouse/database';

export const ENROLLMENT_KEY_COLUMNS =
  'id, org_id, site_id, name, usage_count, max_usage, expires_at, created_by, created_at';

/** A row, with the partner for audit. */
export interface EnrollmentKeyRow extends EnrollmentKeyResponse {
  readonly partnerId: string;
}

export const enrollmentKeyView = ({ partnerId: _, ...key }: EnrollmentKeyRow): EnrollmentKeyResponse => key;
export const enrollmentKeyNotFound = (): ProblemError =>
  new ProblemError('enrollment_key_not_found', 'Enrollment key not found.');

/** Keys of the caller's organisations; one confined to sites sees only keys of those sites. */
export const keysInReach = (caller: UserCaller): Conditions =>
  scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'site_id' });

/** A new secret: shown once, kept as its hash. */
export function newKey(): { key: string; hash: string } {
  const key = randomToken();
  return { key, hash: sha256Hex(key) };
}
