import { ElevationCountsRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { RequestStatesModule } from '../request-states/request-states.module.ts';
import { ElevationRequestsController } from './elevation-requests.controller.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';
import { GetElevationRequest } from './get-elevation-request.ts';
import { ListActiveElevations } from './list-active-elevations.ts';
import { ListElevationRequests } from './list-elevation-requests.ts';
import { RequestCountsRepository } from './request-counts.repository.ts';
import { RequestHistoryRepository } from './request-history.repository.ts';
import { SearchedRequestsRepository } from './searched-requests.repository.ts';

@Module({
  imports: [OrganizationsModule, RequestStatesModule],
  controllers: [ElevationRequestsController],
  providers: [
    ListElevationRequests,
    ListActiveElevations,
    GetElevationRequest,
    ElevationRequestsRepository,
    RequestHistoryRepository,
    SearchedRequestsRepository,
    RequestCountsRepository,
    ElevationCountsRepository,
  ],
})
export class ElevationRequestsModule {}
