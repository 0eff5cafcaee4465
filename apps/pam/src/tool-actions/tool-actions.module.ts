import { Module } from '@nestjs/common';
import { SubmissionModule } from '../submission/submission.module.ts';
import { ToolCatalogModule } from '../tools/tool-catalog.module.ts';
import { GetToolAction } from './get-tool-action.ts';
import { RequestToolAction } from './request-tool-action.ts';
import { ToolActionsController } from './tool-actions.controller.ts';
import { ToolActionsRepository } from './tool-actions.repository.ts';

@Module({
  imports: [SubmissionModule, ToolCatalogModule],
  controllers: [ToolActionsController],
  providers: [RequestToolAction, GetToolAction, ToolActionsRepository],
})
export class ToolActionsModule {}
