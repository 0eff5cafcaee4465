import { type DatabaseDefinition, FoldedNameFunction1700000000003 } from '@gatehouse/database';
import { AuditEntryEntity, ChainEntity } from './chain/chains.repository.ts';
import { CheckpointEntity, CheckpointKeyEntity } from './checkpoints/checkpoints.repository.ts';
import { Baseline1800000004530 } from './migrations/baseline.ts';
import { ExportLinkEntity } from './exports/export-links.repository.ts';
import { OrgRefEntity } from './organizations/organizations.repository.ts';

export const auditDatabase: DatabaseDefinition = {
  name: 'audit',
  entities: [AuditEntryEntity, ChainEntity, CheckpointEntity, CheckpointKeyEntity, OrgRefEntity, ExportLinkEntity],
  migrations: [FoldedNameFunction1700000000003, Baseline1800000004530],
};
