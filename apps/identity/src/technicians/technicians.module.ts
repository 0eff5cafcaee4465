import { Module } from '@nestjs/common';
import { ReplayTechnicians } from './replay-technicians.ts';
import { TechnicianFeed } from './technician-feed.ts';
import { TechniciansController } from './technicians.controller.ts';
import { TechniciansRepository } from './technicians.repository.ts';

@Module({
  controllers: [TechniciansController],
  providers: [TechniciansRepository, TechnicianFeed, ReplayTechnicians],
  exports: [TechnicianFeed],
})
export class TechniciansModule {}
