import { Choice, Flag, Instant, JsonObject, Plain, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { MAX_REASON, MAX_TICKET } from './limits.ts';
import { ELEVATION_STATUSES, type ElevationStatus } from '../vocabulary.ts';

/** An AI agent requests the use of a tool on a device (decisions, "ai_tool_action"). */
@Plain()
export class RequestToolActionDto {
  @Uuid() deviceId!: string;
  @Text({ min: 1, max: 255 }) toolName!: string;
  @Text({ min: 1, max: 255, optional: true }) action?: string;
  @JsonObject() input!: Record<string, unknown>;
  @Text({ max: MAX_REASON, optional: true }) reason?: string;
  @Text({ max: MAX_TICKET, optional: true, description: 'The ticket that it is about.' }) ticket?: string;
  @Whole({ min: 1, max: 86_400, optional: true, description: 'How long the execution waits for a decision.' })
  timeoutSeconds: number = 300;
}

export class ToolActionResponse {
  @Flag() success!: true;
  @Uuid() id!: string;
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
  @Text({ max: 255, nullable: true, description: 'As it was asked for; the tier is that of this action.' }) action!:
    string | null;
  @Whole({ min: 0, max: 4 }) riskTier!: number;
  @Text({ max: MAX_TICKET, nullable: true }) ticket!: string | null;
}

export class ToolActionStateResponse extends ToolActionResponse {
  @Text({ max: 255 }) toolName!: string;
  @Text({ max: 64 }) actionDigest!: string;
  @Instant({ nullable: true }) timeoutAt!: string | null;
  @Instant({ nullable: true }) expiresAt!: string | null;
}
