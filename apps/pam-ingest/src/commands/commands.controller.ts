import { AgentRoute, CurrentCaller } from '@gatehouse/auth';
import { AgentCommandsResponse, CommandResultResponse, CommandResultDto } from '@gatehouse/contracts-pam';
import { Whole } from '@gatehouse/contracts-core';
import { ApiProblems, IgnoresUnknown, perDevice, RateLimit, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import type { DeviceCaller } from '../agents/agent-devices.ts';
import { CommandsService } from './commands.service.ts';
import { ClaimCommands } from './claim-commands.ts';

const MAX_WAIT_SECONDS = 25;

class ClaimCommandsQuery {
  @Transform(({ value }) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : (value as unknown)))
  @Whole({
    min: 0,
    max: MAX_WAIT_SECONDS,
    optional: true,
    description: 'How long to wait for a command when there is none.',
  })
  waitSeconds: number = 0;
}

@ApiTags('Agent commands')
@ApiParam({ name: 'id', format: 'uuid', description: 'The device.' })
@Controller('agents/:id/commands')
export class CommandsController {
  constructor(
    private readonly takeCommands: ClaimCommands,
    private readonly commands: CommandsService,
  ) {}

  /**
   * Fetches the pending commands of the device. With `waitSeconds` the request returns as soon as there is one. A
   * command is delivered again until its result is reported.
   */
  @Get()
  @IgnoresUnknown('agents')
  @AgentRoute()
  @RateLimit('agentPoll', perDevice)
  @ApiOkResponse({ type: AgentCommandsResponse })
  @ApiProblems('device_mismatch', 'device_inactive', 'device_awaiting_confirmation')
  async take(
    @CurrentCaller() caller: DeviceCaller,
    @Query() { waitSeconds }: ClaimCommandsQuery,
  ): Promise<{ commands: object[] }> {
    return { commands: await this.takeCommands.claim(caller, waitSeconds) };
  }

  /** Reports the result of a command, which ends its delivery. */
  @Post(':commandId/result')
  @IgnoresUnknown('agents')
  @HttpCode(200)
  @AgentRoute()
  @ApiOkResponse({ type: CommandResultResponse })
  @ApiProblems('device_mismatch', 'device_inactive', 'device_awaiting_confirmation', 'command_not_found', 'conflict')
  report(
    @CurrentCaller() caller: DeviceCaller,
    @Param('commandId', UuidParam) commandId: string,
    @Body() body: CommandResultDto,
  ): Promise<CommandResultResponse> {
    return this.commands.reportResult(caller, commandId, body);
  }
}
