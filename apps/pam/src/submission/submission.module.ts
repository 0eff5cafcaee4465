import { RulebookRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { RequestStoreModule } from '../elevation-requests/request-store.module.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { SubmissionsRepository } from './submissions.repository.ts';
import { SubmitRequest } from './submit-request.ts';

@Module({ imports: [RequestStoreModule, OrganizationsModule], providers: [SubmitRequest, SubmissionsRepository, RulebookRepository], exports: [SubmitRequest] })
export class SubmissionModule {}
