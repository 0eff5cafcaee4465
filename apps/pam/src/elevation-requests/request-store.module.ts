import { ElevationCountsRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { DeviceCommandsRepository } from '../actuation/device-commands.repository.ts';
import { ApprovalsRepository } from '../approvals/approvals.repository.ts';
import { DecideRequest } from './decide-request.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';
import { RequestCountsRepository } from './request-counts.repository.ts';

const PARTS = [ElevationRequestsRepository, ApprovalsRepository, DeviceCommandsRepository, DecideRequest];

/** Requests with what hangs on them, approvals and commands: they change together. */
@Module({ providers: [...PARTS, RequestCountsRepository, ElevationCountsRepository], exports: PARTS })
export class RequestStoreModule {}
