import { Module } from '@nestjs/common';
import { ApprovalsModule } from '../approvals/approvals.module.ts';
import { EscalateRequests } from './escalate-requests.ts';
import { EscalationsRepository } from './escalations.repository.ts';

@Module({ imports: [ApprovalsModule], providers: [EscalateRequests, EscalationsRepository] })
export class EscalationModule {}
