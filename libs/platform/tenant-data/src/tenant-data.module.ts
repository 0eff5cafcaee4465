import { type DynamicModule, Module } from '@nestjs/common';
import { TENANT_REGISTRY, TenantTasks } from './tenant-tasks.ts';
import type { TenantRegistry } from './tenant-rows.repository.ts';

/**
 * Lets a service take part in merges and purges of organisations. Its database needs {@link
 * TenantTasksSchema1700000000002}.
 * @example imports: [TenantDataModule.with(pamTenantData)]
 */
@Module({})
export class TenantDataModule {
  static with(registry: TenantRegistry): DynamicModule {
    return {
      module: TenantDataModule,
      providers: [{ provide: TENANT_REGISTRY, useValue: registry }, TenantTasks],
      exports: [TENANT_REGISTRY, TenantTasks],
    };
  }
}
