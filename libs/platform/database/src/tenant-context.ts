import type { TenantScope } from '@gatehouse/contracts-core';

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
