import { Module } from '@nestjs/common';
import { SubmissionModule } from '../submission/submission.module.ts';
import { ElevationRequestsController } from './elevation-requests.controller.ts';
import { ListElevationRequests } from './list-elevation-requests.ts';
import { RequestStoreModule } from './request-store.module.ts';
import { RespondToRequest } from '../decisions/respond-to-request.ts';
import { RevokeElevation } from '../decisions/revoke-elevation.ts';

@Module({
  imports: [RequestStoreModule, SubmissionModule],
  controllers: [ElevationRequestsController],
  providers: [ListElevationRequests, RespondToRequest, RevokeElevation],
})
export class ElevationRequestsModule {}
