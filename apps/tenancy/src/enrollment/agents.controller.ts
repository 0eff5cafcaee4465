import { AgentRoute, CurrentCaller, Public } from '@gatehouse/auth';
import type { AnonymousCaller } from '@gatehouse/contracts-core';
import {
  AGENT_PROTOCOL,
  AGENT_PROTOCOL_HEADER,
  AgentInventoryDto,
  AgentInventoryResponse,
  EffectiveConfigurationResponse,
  EnrollAgentDto,
  EnrolledAgentResponse,
  RotatedAgentTokenResponse,
} from '@gatehouse/contracts-tenancy';
import { sha256Hex } from '@gatehouse/crypto';
import { ApiProblems, IgnoresUnknown, perClient, perDevice, RateLimit } from '@gatehouse/service';
import { Body, Controller, Get, Headers, HttpCode, Post, Put, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { AgentsService, AgentTokens, type TenancyAgent } from './agents.service.ts';
import { EnrollAgent } from './enrolment/enroll-agent.ts';

/**
 * The protocol that `X-Agent-Protocol` states, at most the newest that this release speaks; null if it states none.
 */
function statedProtocol(header: string | undefined): number | null {
  const stated = /^\d{1,2}$/.test(header ?? '') ? Number(header) : 0;
  return stated === 0 ? null : Math.min(stated, AGENT_PROTOCOL);
}

const OK = 200;
const PROTOCOL = {
  name: 'X-Agent-Protocol',
  required: false,
  description: 'The version of the agent protocol that the agent speaks.',
  schema: { type: 'integer', minimum: 1, maximum: 99 },
} as const;
const DEVICE = { name: 'id', schema: { type: 'string', format: 'uuid' } } as const;
const BEARER = /^bearer (\S+)$/i;

/** Routes that agents call. */
@Controller('agents')
@ApiTags('agents')
export class AgentsController {
  constructor(
    private readonly enrollAgent: EnrollAgent,
    private readonly agents: AgentsService,
    private readonly agentTokens: AgentTokens,
  ) {}

  /**
   * Enrols a device. The response contains the token that the agent uses from now on; it is shown only once. A machine
   * that presents its own token as bearer gets its device back, with status 200; under another host name, only with the
   * same serial number. Without its token it becomes a new device; if the key allows it, that waits until an
   * administrator confirms that it is the device of `returnsAs`.
   */
  @Post('enroll')
  @IgnoresUnknown('agents')
  @Public()
  @RateLimit('enrolByClient', perClient)
  @ApiHeader(PROTOCOL)
  @ApiCreatedResponse({ type: EnrolledAgentResponse })
  @ApiOkResponse({ type: EnrolledAgentResponse, description: 'Whether an existing device was re-enrolled.' })
  @ApiProblems(
    'enrollment_key_invalid',
    'enrollment_key_expired',
    'enrollment_key_exhausted',
    'not_authenticated',
    'partner_inactive',
    'organization_frozen',
    'device_limit_reached',
  )
  async enroll(
    @CurrentCaller() caller: AnonymousCaller,
    @Body() draft: EnrollAgentDto,
    @Headers() headers: Readonly<Record<string, string | undefined>>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EnrolledAgentResponse> {
    const [, token] = BEARER.exec(headers['authorization'] ?? '') ?? [];
    const stated = draft.agentProtocol ?? statedProtocol(headers[AGENT_PROTOCOL_HEADER]) ?? 1;
    const enrolment = {
      draft,
      tokenHash: token === undefined ? null : sha256Hex(token),
      protocol: Math.min(stated, AGENT_PROTOCOL),
    };
    if (enrolment.tokenHash !== null) await this.agentTokens.reportReuse(enrolment.tokenHash, caller.origin);
    const { isNew, answer } = await this.enrollAgent.enroll(caller, enrolment);
    if (!isNew) void reply.status(OK);
    return answer;
  }

  /** Reads the settings in effect for the agent's own device. */
  @Get(':id/config')
  @IgnoresUnknown('agents')
  @AgentRoute()
  @ApiHeader(PROTOCOL)
  @ApiParam(DEVICE)
  @ApiOkResponse({ type: EffectiveConfigurationResponse })
  @ApiProblems('device_mismatch', 'device_inactive', 'organization_archived', 'partner_inactive')
  async config(
    @CurrentCaller() caller: TenancyAgent,
    @Headers(AGENT_PROTOCOL_HEADER) protocol: string | undefined,
  ): Promise<EffectiveConfigurationResponse> {
    const configuration = await this.agents.getAgentConfiguration(caller);
    await this.agents.recordAgentProtocol(caller, statedProtocol(protocol));
    return configuration;
  }

  /**
   * Rotates the agent's own token. The old one works until the new one is first used, for at most 60 seconds; the new
   * one is shown only once.
   */
  @Post(':id/token/rotate')
  @HttpCode(OK)
  @IgnoresUnknown('agents')
  @AgentRoute()
  @ApiParam(DEVICE)
  @RateLimit('agentTokenRotation', perDevice)
  @ApiOkResponse({ type: RotatedAgentTokenResponse })
  @ApiProblems(
    'device_mismatch',
    'device_inactive',
    'device_awaiting_confirmation',
    'organization_archived',
    'organization_frozen',
    'partner_inactive',
  )
  rotateToken(@CurrentCaller() caller: TenancyAgent): Promise<RotatedAgentTokenResponse> {
    return this.agents.rotateOwnToken(caller);
  }

  /** Reports versions and the serial number of the agent's machine. Omitted members are not changed. */
  @Put(':id/inventory')
  @IgnoresUnknown('agents')
  @AgentRoute()
  @RateLimit('agentInventory', perDevice)
  @ApiHeader(PROTOCOL)
  @ApiParam(DEVICE)
  @ApiOkResponse({ type: AgentInventoryResponse })
  @ApiProblems('device_mismatch', 'device_inactive', 'organization_archived', 'organization_frozen', 'partner_inactive')
  async inventory(
    @CurrentCaller() caller: TenancyAgent,
    @Body() reported: AgentInventoryDto,
    @Headers(AGENT_PROTOCOL_HEADER) protocol: string | undefined,
  ): Promise<AgentInventoryResponse> {
    const inventory = await this.agents.updateInventory(caller, reported);
    await this.agents.recordAgentProtocol(caller, statedProtocol(protocol));
    return inventory;
  }
}
