import type { DatabaseName } from '@gatehouse/contracts-core';
import type { DatabaseDefinition } from '@gatehouse/database';

/** Libraries and tests import applications by path only. */
const DEFINITIONS: Readonly<Record<DatabaseName, string>> = {
  identity: 'apps/identity/src/database.ts',
  tenancy: 'apps/tenancy/src/database.ts',
  pam: 'libs/pam/store/src/pam-database.ts',
  audit: 'apps/audit/src/database.ts',
  notifier: 'apps/notifier/src/database.ts',
};

export async function definitionOf(context: DatabaseName): Promise<DatabaseDefinition> {
  const exported = (await import(new URL(`../../../${DEFINITIONS[context]}`, import.meta.url).href)) as Record<
    string,
    DatabaseDefinition
  >;
  return exported[`${context}Database`] as DatabaseDefinition;
}
