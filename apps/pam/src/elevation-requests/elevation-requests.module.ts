import { ElevationCountsRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { ElevationRequestsController } from './elevation-requests.controller.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';
import { ListActiveElevations } from './list-active-elevations.ts';
import { ListElevationRequests } from './list-elevation-requests.ts';
import { RequestCountsRepository } from './request-counts.repository.ts';

@Module({
  imports: [OrganizationsModule],
  controllers: [ElevationRequestsController],
  providers: [
    ListElevationRequests,
    ListActiveElevations,
    ElevationRequestsRepository,
    RequestCountsRepository,
    ElevationCountsRepository,
  ],
  exports: [ElevationRequestsRepository],
})
export class ElevationRequestsModule {}
