import { Module } from '@nestjs/common';
import { DevicesModule } from '../devices/devices.module.ts';
import { OrganizationsModule } from '../organizations/organizations.module.ts';
import { RequestStatesModule } from '../request-states/request-states.module.ts';
import { SubmissionModule } from '../submission/submission.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { ExplainDraft } from './explain-draft.ts';
import { ExplainRequest } from './explain-request.ts';
import { ExplainedPlaces } from './explained-places.ts';
import { ExplainedRequestsRepository } from './explained-requests.repository.ts';
import { ExplainedRulebooks } from './explained-rulebooks.ts';
import { ExplanationsController } from './explanations.controller.ts';

@Module({
  imports: [DevicesModule, OrganizationsModule, RequestStatesModule, SubmissionModule, ToolCatalogModule],
  controllers: [ExplanationsController],
  providers: [ExplainRequest, ExplainDraft, ExplainedPlaces, ExplainedRequestsRepository, ExplainedRulebooks],
})
export class ExplanationsModule {}
