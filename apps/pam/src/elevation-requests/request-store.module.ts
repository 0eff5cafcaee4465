import { ElevationCountsRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { DeviceCommandsRepository } from '../device-commands/device-commands.repository.ts';
import { ApprovalQuestionsRepository } from '../approvals/approval-questions.repository.ts';
import { ApprovalsRepository } from '../approvals/approvals.repository.ts';
import { HiddenOrganizationsRepository } from '../organizations/hidden-organizations.repository.ts';
import { DecideRequest } from '../decisions/decide-request.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';
import { RequestCountsRepository } from './request-counts.repository.ts';

const PARTS = [
  ElevationRequestsRepository,
  ApprovalsRepository,
  ApprovalQuestionsRepository,
  DeviceCommandsRepository,
  DecideRequest,
  HiddenOrganizationsRepository,
];

/** The repositories of requests and of their approvals and commands, which change in the same transactions. */
@Module({ providers: [...PARTS, RequestCountsRepository, ElevationCountsRepository], exports: PARTS })
export class RequestStoreModule {}
