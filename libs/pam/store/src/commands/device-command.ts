/** `claimed`: delivered to the agent, and delivered again until it reports a result. */
export const COMMAND_STATUSES = ['queued', 'claimed', 'completed', 'failed', 'cancelled', 'expired'] as const;
export type CommandStatus = (typeof COMMAND_STATUSES)[number];

export const COMMAND_TYPES = ['actuate_elevation', 'revoke_elevation', 'elevation_outcome', 'uninstall'] as const;
export type CommandType = (typeof COMMAND_TYPES)[number];

/**
 * The NOTIFY channel for inserted commands, which wakes the waiting poll of the device's agent; the payload is the
 * device's id.
 */
export const COMMAND_CHANNEL = 'device_commands';
