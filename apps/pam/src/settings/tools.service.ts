import type { ToolCatalogRecord } from '@gatehouse/contracts-pam';
import type { ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { TOOL_CATALOG } from './tool-catalog.provider.ts';

@Injectable()
export class ToolsService {
  constructor(@Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog) {}

  /** Lists the catalogue of this installation by name; it is the same for every tenant. */
  list(): ToolCatalogRecord[] {
    return Object.entries(this.catalog)
      .map(([toolName, { tier: riskTier, actions = {} }]) => ({
        toolName,
        riskTier,
        actions: Object.entries(actions).map(([action, tier]) => ({ action, riskTier: tier })),
      }))
      .sort((one, other) => (one.toolName < other.toolName ? -1 : 1));
  }
}
