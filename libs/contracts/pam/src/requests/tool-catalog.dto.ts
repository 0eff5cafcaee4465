import { Flag, NestedList, Text, Whole } from '@gatehouse/contracts-core';

const TIER = { min: 0, max: 4, description: 'From 0, which reads, to 4, which may destroy data or open access.' };

export class ToolCatalogActionRecord {
  @Text({ max: 255 }) action!: string;
  @Whole(TIER) riskTier!: number;
}

/** A tool that AI agents may ask for. An action that is not listed has the highest tier of its tool. */
export class ToolCatalogRecord {
  @Text({ max: 255 }) toolName!: string;
  @Whole(TIER) riskTier!: number;
  @NestedList(() => ToolCatalogActionRecord, { maxItems: 1000, description: 'The actions with tiers of their own.' })
  actions!: ToolCatalogActionRecord[];
}

export class ToolCatalogResponse {
  @Flag() success!: true;
  @NestedList(() => ToolCatalogRecord, { maxItems: 10_000, description: 'The tools, by name.' })
  tools!: ToolCatalogRecord[];
}
