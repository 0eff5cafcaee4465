import { AgentRoute, CurrentCaller } from '@gatehouse/auth';
import { AgentReportResponse, AgentReportDto } from '@gatehouse/contracts-pam';
import { ApiProblems, IgnoresUnknown, perDevice, RateLimit } from '@gatehouse/service';
import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { DeviceCaller } from '../agents/agent-devices.ts';
import { ReportPrompt } from './report-prompt.ts';

const OK = 200;

@ApiTags('Agents')
@Controller('agents/:id/elevation-requests')
export class ReportPromptController {
  constructor(private readonly reportPrompt: ReportPrompt) {}

  /**
   * Reports a consent prompt that the agent has intercepted. The response contains the immediate decision; a pending
   * request is decided later. The same report within 15 minutes gets the same response, but a grant only while it is
   * valid.
   */
  @Post()
  @IgnoresUnknown('agents')
  @AgentRoute()
  @RateLimit('agentReport', perDevice)
  @ApiParam({ name: 'id', format: 'uuid', description: 'The device.' })
  @ApiCreatedResponse({ type: AgentReportResponse })
  @ApiOkResponse({ type: AgentReportResponse, description: 'An ignore rule matched.' })
  @ApiProblems(
    'device_mismatch',
    'device_inactive',
    'device_awaiting_confirmation',
    'partner_inactive',
    'organization_archived',
    'organization_frozen',
    'payload_too_large',
    'unsupported_media_type',
  )
  async report(
    @CurrentCaller() caller: DeviceCaller,
    @Body() body: AgentReportDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AgentReportResponse> {
    const answer = await this.reportPrompt.report(caller, body);
    if (answer.id === null) void reply.status(OK);
    return answer;
  }
}
