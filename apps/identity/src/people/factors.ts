import type { MfaMethod } from '@gatehouse/contracts-identity';
import type { Reader } from '@gatehouse/database';

const CONFIRMED = `SELECT kind FROM mfa_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL GROUP BY kind ORDER BY kind`;

/** The methods with which the user can prove a second factor; empty without one. */
export async function mfaMethodsOf(reader: Reader, userId: string): Promise<MfaMethod[]> {
  const factors = await reader.query<{ kind: MfaMethod }>(CONFIRMED, [userId]);
  return factors.length === 0 ? [] : [...factors.map(({ kind }) => kind), 'recovery_code'];
}
