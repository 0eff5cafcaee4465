import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { RequestToolActionDto, ToolActionResponse, ToolActionStateResponse } from '@gatehouse/contracts-pam';
import { canonicalJson, sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { riskTierOf, ticketOf, type ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { SubmitRequest } from './submit-request.ts';
import { TOOL_CATALOG } from '../settings/tools.service.ts';
import { ToolActionsRepository } from './tool-actions.repository.ts';

@Injectable()
export class ToolActionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly toolActions: ToolActionsRepository,
    private readonly submitRequest: SubmitRequest,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  async get(caller: UserCaller, id: string): Promise<ToolActionStateResponse> {
    const row = await this.work.read(caller, (reader) => this.toolActions.find(reader, caller.scope, id));
    if (!row) throw new ProblemError('tool_action_not_found', 'There is no such tool action.');
    return {
      success: true,
      ...row,
      timeoutAt: row.timeoutAt?.toISOString() ?? null,
      expiresAt: row.status === 'pending' ? null : (row.expiresAt?.toISOString() ?? null),
    };
  }

  /** An AI agent requests the use of a tool; the catalogue defines the risk tier (decisions, "ai_tool_action"). */
  async request(
    caller: UserCaller,
    { deviceId, toolName, action, input, reason, ticket, timeoutSeconds }: RequestToolActionDto,
  ): Promise<ToolActionResponse> {
    const [name, ownAction] = [toolName.trim(), action?.trim() ?? null];
    const riskTier = riskTierOf(this.catalog, name, ownAction);
    const tool = { name, action: ownAction, input, riskTier, digest: sha256Hex(canonicalJson(input)), timeoutSeconds };
    const submitted = await this.submitRequest.submitRequest(caller, deviceId, {
      flowType: 'ai_tool_action',
      reason: reason ?? null,
      ticket: ticketOf(ticket),
      durationMinutes: null,
      tool,
    });
    const { id, status } = submitted;
    return { success: true, id, status, action: ownAction, riskTier, ticket: submitted.ticket };
  }
}
