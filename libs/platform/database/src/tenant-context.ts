import type { TenantScope } from '@gatehouse/contracts-core';
import pg from 'pg';

const uuidArray = (ids: ReadonlySet<string>): string => `{${[...ids].join(',')}}`;

/**
 * The settings that row security reads (see platform-schema.ts): the second lock on a tenant's rows. The system's needs
 * no more than one.
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
 * Opens a transaction and sets its tenant context in one round trip. Values are literals because the simple protocol,
 * which
 * alone takes several statements, has no parameters; SET LOCAL because it is neither planned nor answered with a row.
 * @param lockTimeoutMs when it is to be another than the session's
 */
export function beginSql(scope: TenantScope, mode: 'READ WRITE' | 'READ ONLY', lockTimeoutMs?: number): string {
  const own = {
    ...contextSettings(scope),
    ...(lockTimeoutMs !== undefined && { lock_timeout: String(lockTimeoutMs) }),
  };
  const settings = Object.entries(own).map(([name, value]) => `SET LOCAL ${name} = ${pg.escapeLiteral(value)}`);
  return [`BEGIN ${mode}`, ...settings].join('; ');
}
