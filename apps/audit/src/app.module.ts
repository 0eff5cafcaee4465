import { Module } from '@nestjs/common';
import { AppendEvents } from './appending/append-events.ts';
import { ChainsRepository } from './chain/chains.repository.ts';
import { AuditLogsController, CheckpointKeysController } from './log/audit-logs.controller.ts';
import { CheckpointKeys } from './checkpoints/checkpoint-keys.ts';
import { CompareAtStart } from './log/compare-at-start.ts';
import { KnownEnds, VerifyChain } from './log/verify-chain.ts';
import { CheckpointsRepository } from './checkpoints/checkpoints.repository.ts';
import { PublishedCheckpoints } from './checkpoints/published-checkpoints.ts';
import { SignChain, SignCheckpoints } from './checkpoints/sign-checkpoints.ts';
import { EntriesRepository } from './log/entries.repository.ts';
import { ExportsService } from './exports/exports.service.ts';
import { LogService } from './log/log.service.ts';
import { Reach } from './log/reach.ts';
import { ExportAuthor } from './exports/export-author.ts';
import { ExportLinksRepository } from './exports/export-links.repository.ts';
import { ExportsController } from './exports/exports.controller.ts';
import { OrganizationsRepository } from './organizations/organizations.repository.ts';
import { ProjectOrganizations } from './organizations/project-organizations.ts';

@Module({
  controllers: [AuditLogsController, ExportsController, CheckpointKeysController],
  providers: [
    ChainsRepository,
    CheckpointsRepository,
    EntriesRepository,
    AppendEvents,
    SignCheckpoints,
    CheckpointKeys,
    PublishedCheckpoints,
    SignChain,
    CompareAtStart,
    OrganizationsRepository,
    ProjectOrganizations,
    Reach,
    LogService,
    ExportLinksRepository,
    ExportAuthor,
    ExportsService,
    KnownEnds,
    VerifyChain,
  ],
})
export class AppModule {}
