import type { DatabaseDefinition } from '@gatehouse/database';
import { Contacts1800000001003 } from './migrations/contacts.ts';
import { Hierarchy1800000001001 } from './migrations/hierarchy.ts';
import { Definitions1800000001004 } from './migrations/definitions.ts';
import { Devices1800000001002 } from './migrations/devices.ts';

export const tenancyDatabase: DatabaseDefinition = {
  name: 'tenancy',
  entities: [],
  migrations: [Hierarchy1800000001001, Devices1800000001002, Contacts1800000001003, Definitions1800000001004],
};
