import type { TenantScope } from '@gatehouse/contracts-core';
import pg from 'pg';

const uuidArray = (ids: ReadonlySet<string>): string => `{${[...ids].join(',')}}`;

/**
 * The settings that row security reads (see platform-schema.ts): the second guard of a tenant's rows, besides the
 * conditions of each query. For the system, one setting is enough.
 */
export function contextSettings(scope: TenantScope): Readonly<Record<string, string>> {
  if (scope.partner === 'all') return { 'app.system': 'on' };
  return {
    'app.system': 'off',
    'app.partner_id': scope.partner ?? '',
    'app.org_ids': scope.orgs === 'all' ? '*' : uuidArray(scope.orgs),
  };
}

/**
 * Opens a transaction and sets its tenant context in one round trip. Values are literals, because only the simple
 * protocol accepts several statements, and it has no parameters. SET LOCAL is used because the server neither plans it
 * nor returns a row.
 * @param lockTimeoutMs overrides the lock timeout of the session
 */
export function beginSql(scope: TenantScope, mode: 'READ WRITE' | 'READ ONLY', lockTimeoutMs?: number): string {
  const own = {
    ...contextSettings(scope),
    ...(lockTimeoutMs !== undefined && { lock_timeout: String(lockTimeoutMs) }),
  };
  const settings = Object.entries(own).map(([name, value]) => `SET LOCAL ${name} = ${pg.escapeLiteral(value)}`);
  return [`BEGIN ${mode}`, ...settings].join('; ');
}
