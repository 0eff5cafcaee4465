/** The colour of each status. */
export const COLORS = { invited: 'yellow', active: 'green', suspended: 'gray' } as const;
