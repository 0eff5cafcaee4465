/** The version where it names the system itself, as “Windows 11 23H2” does. */
export function systemOf({
  osType,
  osVersion,
}: {
  readonly osType: string;
  readonly osVersion: string | null;
}): string {
  if (osVersion?.toLowerCase().startsWith(osType.toLowerCase())) return osVersion;
  return [osType, osVersion].filter(Boolean).join(' ');
}

export const STATES = ['online', 'offline', 'maintenance', 'awaiting_confirmation', 'decommissioned'] as const;
/** The colour of each status. */
export const COLORS = {
  online: 'green',
  offline: 'gray',
  maintenance: 'yellow',
  awaiting_confirmation: 'orange',
  decommissioned: 'red',
} as const;
