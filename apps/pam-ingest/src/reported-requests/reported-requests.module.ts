import { Module } from '@nestjs/common';
import { GetReportedRequest } from './get-reported-request.ts';
import { ReportedRequestsController } from './reported-requests.controller.ts';
import { ReportedRequestsRepository } from './reported-requests.repository.ts';

@Module({
  controllers: [ReportedRequestsController],
  providers: [GetReportedRequest, ReportedRequestsRepository],
  exports: [ReportedRequestsRepository],
})
export class ReportedRequestsModule {}
