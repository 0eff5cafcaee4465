import type { UserCaller } from '@gatehouse/contracts-core';
import type { RequestToolActionDto, ToolActionResponse } from '@gatehouse/contracts-pam';
import { riskTierOf, ticketOf, type ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { SubmitRequest } from '../submission/submit-request.ts';
import { TOOL_CATALOG } from '../tools/tool-catalog.provider.ts';
import { canonicalJson, sha256Hex } from '@gatehouse/crypto';

/** An AI agent requests the use of a tool; the catalogue defines the risk tier (decisions, "ai_tool_action"). */
@Injectable()
export class RequestToolAction {
  constructor(
    private readonly submitRequest: SubmitRequest,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /** @throws ProblemError as {@link SubmitRequest} */
  async execute(
    caller: UserCaller,
    { deviceId, toolName, action, input, reason, ticket, timeoutSeconds }: RequestToolActionDto,
  ): Promise<ToolActionResponse> {
    const [name, ownAction] = [toolName.trim(), action?.trim() ?? null];
    const riskTier = riskTierOf(this.catalog, name, ownAction);
    const tool = { name, action: ownAction, input, riskTier, digest: sha256Hex(canonicalJson(input)), timeoutSeconds };
    const submitted = await this.submitRequest.execute(caller, deviceId, {
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
