import { PamReadModelsModule } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { ActuationModule } from './actuation/actuation.module.ts';
import { ApprovalsModule } from './approvals/approvals.module.ts';
import { ElevationRequestsModule } from './elevation-requests/elevation-requests.module.ts';
import { ExpiryModule } from './expiry/expiry.module.ts';
import { OrgConfigModule } from './org-config/org-config.module.ts';
import { RulesModule } from './rules/rules.module.ts';
import { SignerGroupsModule } from './signer-groups/signer-groups.module.ts';

@Module({
  imports: [ElevationRequestsModule, ApprovalsModule, ActuationModule, RulesModule, SignerGroupsModule, OrgConfigModule, ExpiryModule, PamReadModelsModule],
})
export class AppModule {}
