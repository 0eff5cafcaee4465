/** The axis on which a session or a role acts. */
export const ACCESS_LEVELS = ['system', 'partner', 'organization'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];
