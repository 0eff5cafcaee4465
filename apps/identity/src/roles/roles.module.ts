import { Module } from '@nestjs/common';
import { TechniciansModule } from '../technicians/technicians.module.ts';
import { RolesController } from './roles.controller.ts';
import { RolesRepository } from './roles.repository.ts';
import { SaveRole } from './save-role.ts';

@Module({
  imports: [TechniciansModule],
  controllers: [RolesController],
  providers: [RolesRepository, SaveRole],
  exports: [RolesRepository],
})
export class RolesModule {}
