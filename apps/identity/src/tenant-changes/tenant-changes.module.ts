import { TenantDataModule } from '@gatehouse/tenant-data';
import { Module } from '@nestjs/common';
import { identityTenantData } from './identity-tenant-data.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { KeepTenantRefs } from './keep-tenant-refs.ts';

@Module({ imports: [SessionsModule, TenantDataModule.with(identityTenantData)], providers: [KeepTenantRefs] })
export class TenantChangesModule {}
