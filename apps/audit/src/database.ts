import { type DatabaseDefinition, FoldedNameFunction1700000000003 } from '@gatehouse/database';
import { AuditEntryEntity, ChainEntity } from './chain/chains.repository.ts';
import { CheckpointEntity, CheckpointKeyEntity } from './checkpoints/checkpoints.repository.ts';
import { AuditLog1800000000201 } from './migrations/1800000000201-audit-log.ts';
import { ExportLinkEntity } from './exports/export-links.repository.ts';
import { SingleEntriesAndExportLinks1800000000291 } from './migrations/1800000000291-single-entries-and-export-links.ts';
import { PartitionsInADump1800000000295 } from './migrations/1800000000295-partitions-in-a-dump.ts';
import { ClientRequestIds1800000000370 } from './migrations/1800000000370-client-request-ids.ts';
import { LabelsOfApiKeys1800000000501 } from './migrations/1800000000501-labels-of-api-keys.ts';
import { OrgRefEntity } from './organizations/organizations.repository.ts';

export const auditDatabase: DatabaseDefinition = {
  name: 'audit',
  entities: [AuditEntryEntity, ChainEntity, CheckpointEntity, CheckpointKeyEntity, OrgRefEntity, ExportLinkEntity],
  migrations: [
    FoldedNameFunction1700000000003,
    AuditLog1800000000201,
    SingleEntriesAndExportLinks1800000000291,
    PartitionsInADump1800000000295,
    ClientRequestIds1800000000370,
    LabelsOfApiKeys1800000000501,
  ],
};
