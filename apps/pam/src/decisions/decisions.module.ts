import { Module } from '@nestjs/common';
import { ApprovalsModule } from '../approvals/approvals.module.ts';
import { DeviceCommandsModule } from '../device-commands/device-commands.module.ts';
import { RequestStatesModule } from '../request-states/request-states.module.ts';
import { CastVote } from './cast-vote.ts';
import { DecideRequest } from './decide-request.ts';
import { DecisionsController } from './decisions.controller.ts';
import { GiveTicket } from './give-ticket.ts';
import { RespondToRequest } from './respond-to-request.ts';
import { RevokeElevation } from './revoke-elevation.ts';
import { SettleApproval } from './settle-approval.ts';
import { VotesRepository } from './votes.repository.ts';
import { ApprovalDecisionsController } from './approval-decisions.controller.ts';

/** Decisions of technicians: about requests, about their own approvals, and about open windows. */
@Module({
  imports: [RequestStatesModule, ApprovalsModule, DeviceCommandsModule],
  controllers: [DecisionsController, ApprovalDecisionsController],
  providers: [DecideRequest, CastVote, GiveTicket, VotesRepository, RespondToRequest, RevokeElevation, SettleApproval],
})
export class DecisionsModule {}
