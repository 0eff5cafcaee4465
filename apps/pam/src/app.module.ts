import { PamReadModelsModule } from '@gatehouse/pam-store';
import { TenantDataModule } from '@gatehouse/tenant-data';
import { Module } from '@nestjs/common';
import { ActuationModule } from './actuation/actuation.module.ts';
import { ApprovalsModule } from './approvals/approvals.module.ts';
import { ElevationRequestsModule } from './elevation-requests/elevation-requests.module.ts';
import { ExpiryModule } from './expiry/expiry.module.ts';
import { OrgConfigModule } from './org-config/org-config.module.ts';
import { RulesModule } from './rules/rules.module.ts';
import { SignerGroupsModule } from './signer-groups/signer-groups.module.ts';
import { SoftwarePoliciesModule } from './software-policies/software-policies.module.ts';
import { pamTenantData } from './tenant-data/pam-tenant-data.ts';
import { ToolActionsModule } from './tool-actions/tool-actions.module.ts';

@Module({
  imports: [
    ElevationRequestsModule,
    ToolActionsModule,
    ApprovalsModule,
    ActuationModule,
    ExpiryModule,
    RulesModule,
    SignerGroupsModule,
    SoftwarePoliciesModule,
    OrgConfigModule,
    PamReadModelsModule,
    TenantDataModule.with(pamTenantData),
  ],
})
export class AppModule {}
