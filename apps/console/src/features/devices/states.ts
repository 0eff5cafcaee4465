export const STATES = ['online', 'offline', 'maintenance', 'decommissioned'] as const;
/** The colour of each status. */
export const COLORS = { online: 'green', offline: 'gray', maintenance: 'yellow', decommissioned: 'red' } as const;
