import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { EnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Conditions, scoped } from '@gatehouse/database';

export const ENROLLMENT_KEY_COLUMNS =
  'id, org_id, site_id, name, usage_count, max_usage, expires_at, created_by, created_at';

/** A row of the table; the partner is there for the audit record. */
export interface EnrollmentKeyRow extends EnrollmentKeyResponse {
  readonly partnerId: string;
}

export const enrollmentKeyView = ({ partnerId: _, ...key }: EnrollmentKeyRow): EnrollmentKeyResponse => key;
export const enrollmentKeyNotFound = (): ProblemError =>
  new ProblemError('enrollment_key_not_found', 'Enrollment key not found.');

/** Keys of the organisations in reach; a site-confined caller sees only the keys of its sites. */
export const keysInReach = (caller: UserCaller): Conditions =>
  scoped(caller.scope, { partner: 'partner_id', org: 'org_id', site: 'site_id' });

/** Generates a secret, which is shown once and stored as a hash. */
export function newKey(): { key: string; hash: string } {
  const key = randomToken();
  return { key, hash: sha256Hex(key) };
}
