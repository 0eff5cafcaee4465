import { Module } from '@nestjs/common';
import { TenantRefsRepository } from './tenant-refs.repository.ts';

@Module({ providers: [TenantRefsRepository], exports: [TenantRefsRepository] })
export class TenantRefsModule {}
