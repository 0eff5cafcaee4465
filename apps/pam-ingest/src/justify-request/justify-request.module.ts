import { Module } from '@nestjs/common';
import { ReportedRequestsModule } from '../reported-requests/reported-requests.module.ts';
import { JustifiedRequestsRepository } from './justified-requests.repository.ts';
import { JustifyRequest } from './justify-request.ts';
import { JustifyRequestController } from './justify-request.controller.ts';

@Module({
  imports: [ReportedRequestsModule],
  controllers: [JustifyRequestController],
  providers: [JustifyRequest, JustifiedRequestsRepository],
})
export class JustifyRequestModule {}
