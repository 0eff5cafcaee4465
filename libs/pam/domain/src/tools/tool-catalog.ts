import type { CatalogTool, ToolCatalog } from './risk-tier.ts';
import { foldCase } from '@gatehouse/windows-paths';

/**
 * The built-in catalogue. Tiers: 0 reads, 1 reads possibly private data, 2 makes changes that are easily undone, 3
 * changes the system, 4 may destroy data or open access.
 */
export const SHIPPED_TOOL_CATALOG: ToolCatalog = {
  get_device_details: { tier: 0 },
  list_processes: { tier: 0 },
  query_event_log: { tier: 1 },
  read_file: { tier: 1 },
  manage_service: { tier: 2, actions: { list: 0, start: 2, restart: 2, stop: 3, disable: 3 } },
  manage_process: { tier: 2, actions: { list: 0, kill: 3 } },
  manage_software: { tier: 3, actions: { list: 0, install: 3, uninstall: 3 } },
  manage_patches: { tier: 3, actions: { list: 0, scan: 1, install: 3 } },
  write_file: { tier: 3 },
  edit_registry: { tier: 4, actions: { read: 1 } },
  manage_users: { tier: 4, actions: { list: 1 } },
  run_script: { tier: 4 },
  run_command: { tier: 4 },
  reboot_device: { tier: 3 },
};

const isTier = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 4;
const foldKeys = <T>(named: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [foldCase(name), value]));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isTool(value: unknown): value is CatalogTool {
  if (!isObject(value) || !isTier(value['tier'])) return false;
  const { actions = {} } = value;
  return isObject(actions) && Object.values(actions).every(isTier);
}

/**
 * Parses an operator's own catalogue: `{ "<tool>": { "tier": 0-4, "actions": { "<action>": 0-4 } } }`.
 * @throws Error that names the faulty tool
 */
export function parseToolCatalog(json: string): ToolCatalog {
  const parsed: unknown = JSON.parse(json);
  if (!isObject(parsed)) throw new Error('the tool catalogue must be an object of tools');
  const tools = Object.entries(parsed).map(([name, tool]): [string, CatalogTool] => {
    if (!isTool(tool)) throw new Error(`the tool ${name} needs a tier from 0 to 4, and so does each of its actions`);
    return [name, { ...tool, ...(tool.actions && { actions: foldKeys(tool.actions) }) }];
  });
  return foldKeys(Object.fromEntries(tools));
}
