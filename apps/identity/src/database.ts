import type { DatabaseDefinition } from '@gatehouse/database';
import { TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
import { IdentityCore1800000000001 } from './migrations/1800000000001-identity-core.ts';
import { IdentitySso1800000000021 } from './migrations/1800000000021-sso.ts';
import { GovernedWhereAlive1800000000041 } from './migrations/1800000000041-governed-where-alive.ts';
import { TechnicianStatesInTurn1800000000061 } from './migrations/1800000000061-technician-states-in-turn.ts';
import { SsoProvider } from './sso-providers/sso-provider.entity.ts';

export const identityDatabase: DatabaseDefinition = {
  name: 'identity',
  entities: [SsoProvider],
  migrations: [TenantTasksSchema1700000000002, IdentityCore1800000000001, IdentitySso1800000000021, GovernedWhereAlive1800000000041, TechnicianStatesInTurn1800000000061],
};
