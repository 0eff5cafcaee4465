import { Choice, Flag, Instant, JsonObject, NestedList, Plain, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { ELEVATION_STATUSES, type ElevationStatus, MAX_REASON, MAX_TICKET } from '../vocabulary.ts';

const TIER = { min: 0, max: 4, description: 'From 0, which reads, to 4, which may destroy data or open access.' };

export class ToolCatalogActionRecord {
  @Text({ max: 255 }) action!: string;
  @Whole(TIER) riskTier!: number;
}

/** A tool that AI agents may ask for. An action that is not listed has the highest tier of its tool. */
export class ToolCatalogRecord {
  @Text({ max: 255 }) toolName!: string;
  @Whole(TIER) riskTier!: number;
  @NestedList(() => ToolCatalogActionRecord, { maxItems: 1000, description: 'The actions with their own tiers.' })
  actions!: ToolCatalogActionRecord[];
}

export class ToolCatalogResponse {
  @Flag() success!: true;
  @NestedList(() => ToolCatalogRecord, { maxItems: 10_000, description: 'The tools, by name.' })
  tools!: ToolCatalogRecord[];
}

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
  @Text({ max: 255, nullable: true, description: 'As requested; the tier is that of this action.' }) action!:
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
