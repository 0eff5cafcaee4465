import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { RequestToolActionDto, ToolActionResponse, ToolActionStateResponse } from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SUBMISSION_PROBLEMS } from './submit-request.ts';
import { ToolActionsService } from './tool-actions.service.ts';

@ApiTags('AI tool actions')
@Controller('pam/tool-actions')
export class ToolActionsController {
  constructor(private readonly toolActions: ToolActionsService) {}

  /**
   * Requests a tool action on a device, for an AI agent. The organisation's rules decide, or the request waits for a
   * technician. Poll the outcome until it is no longer pending or the timeout has passed.
   */
  @Post()
  @Requires('tools:request', { audit: 'pam.elevation_request.submit' })
  @ApiCreatedResponse({ type: ToolActionResponse })
  @ApiProblems(...SUBMISSION_PROBLEMS)
  request(@CurrentCaller() caller: UserCaller, @Body() body: RequestToolActionDto): Promise<ToolActionResponse> {
    return this.toolActions.request(caller, body);
  }

  /** Reads the outcome of a tool request. */
  @Get(':id')
  @Requires('tools:request')
  @ApiOkResponse({ type: ToolActionStateResponse })
  @ApiProblems('tool_action_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<ToolActionStateResponse> {
    return this.toolActions.get(caller, id);
  }
}
