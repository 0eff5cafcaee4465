import type { ToolCatalogRecord } from '@gatehouse/contracts-pam';
import { parseToolCatalog, SHIPPED_TOOL_CATALOG, type ToolCatalog } from '@gatehouse/pam-domain';
import { ConfigError } from '@gatehouse/service';
import { Inject, Injectable, type Provider } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { PamConfig } from '../pam.config.ts';

/** Injection token of the tool catalogue, which maps tools to risk tiers. */
export const TOOL_CATALOG = Symbol('tool catalog');

function read(path: string): ToolCatalog {
  try {
    return parseToolCatalog(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(`PAM_TOOL_CATALOG cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export const toolCatalogProvider: Provider = {
  provide: TOOL_CATALOG,
  inject: [PamConfig],
  useFactory: ({ pamToolCatalog }: PamConfig): ToolCatalog =>
    pamToolCatalog ? read(pamToolCatalog) : SHIPPED_TOOL_CATALOG,
};

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
