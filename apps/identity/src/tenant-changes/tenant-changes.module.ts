import { TenantDataModule } from '@gatehouse/tenant-data';
import { Module } from '@nestjs/common';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { OffersModule } from '../offers/offers.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { TenantRefsModule } from '../tenant-refs/tenant-refs.module.ts';
import { identityTenantData } from './identity-tenant-data.ts';
import { KeepTenantRefs } from './keep-tenant-refs.ts';

@Module({
  imports: [
    MembershipsModule,
    OffersModule,
    SessionsModule,
    TenantRefsModule,
    TenantDataModule.with(identityTenantData),
  ],
  providers: [KeepTenantRefs],
})
export class TenantChangesModule {}
