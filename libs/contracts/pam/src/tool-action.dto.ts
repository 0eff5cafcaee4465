import { Choice, Flag, Instant, JsonObject, noteCheck, Plain, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { MAX_REASON } from './elevation-request.dto.ts';
import { ELEVATION_STATUSES, type ElevationStatus } from './vocabulary.ts';

const isJsonObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** In a plain class: the full validation drops members named as something that every object has, such as `toString`, and the digest would be that of another input. */
const AsSent = (): PropertyDecorator => (target, key) => noteCheck(target, String(key), isJsonObject);

/** An AI agent asks to use a tool on a device (decisions, "ai_tool_action"). */
@Plain()
export class RequestToolActionDto {
  @Uuid() deviceId!: string;
  @Text({ min: 1, max: 255 }) toolName!: string;
  @Text({ min: 1, max: 255, optional: true }) action?: string;
  @AsSent() @JsonObject() input!: Record<string, unknown>;
  @Text({ max: MAX_REASON, optional: true }) reason?: string;
  @Whole({ min: 1, max: 86_400, optional: true, description: 'How long the execution waits for a decision.' }) timeoutSeconds: number = 300;
}

export class ToolActionAnswer {
  @Flag() success!: true;
  @Uuid() id!: string;
  @Choice(ELEVATION_STATUSES) status!: ElevationStatus;
  @Whole({ min: 0, max: 4 }) riskTier!: number;
}

export class ToolActionStateAnswer extends ToolActionAnswer {
  @Text({ max: 255 }) toolName!: string;
  @Text({ max: 64 }) actionDigest!: string;
  @Instant({ nullable: true }) timeoutAt!: string | null;
  @Instant({ nullable: true }) expiresAt!: string | null;
}
