import { Module } from '@nestjs/common';
import { KeepTenantRefs } from './keep-tenant-refs.ts';

@Module({ providers: [KeepTenantRefs] })
export class TenantRefsModule {}
