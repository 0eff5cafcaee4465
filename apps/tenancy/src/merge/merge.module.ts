import { TenantDataModule } from '@gatehouse/tenant-data';
import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { ConfirmStep } from './confirm-step.ts';
import { ListMergeRuns } from './list-merge-runs.ts';
import { MergeController } from './merge.controller.ts';
import { MergeSaga } from './merge-saga.ts';
import { OrganizationRunsRepository } from './organization-runs.repository.ts';
import { PreviewMerge } from './preview-merge.ts';
import { PurgeArchived } from './purge-archived.ts';
import { GetMergeRun } from './get-merge-run.ts';
import { StartMerge } from './start-merge.ts';
import { tenancyTenantData } from './tenant-data/tenancy-tenant-data.ts';

@Module({
  imports: [DevicesModule, OrganizationsModule, TenantDataModule.with(tenancyTenantData)],
  controllers: [MergeController],
  providers: [
    PreviewMerge,
    StartMerge,
    GetMergeRun,
    ListMergeRuns,
    MergeSaga,
    PurgeArchived,
    ConfirmStep,
    OrganizationRunsRepository,
  ],
})
export class MergeModule {}
