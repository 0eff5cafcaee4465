export const SOURCES = ['software_policy', 'pam_rule', 'human', 'org_default'] as const;
/** What earlier requests share with one, and what became of them. */
export const SHARED = ['file', 'device', 'user'] as const;
export const OUTCOMES = ['approved', 'auto_approved', 'denied', 'expired'] as const;
export const SORTS = [
  'requestedAt',
  '-requestedAt',
  'deviceHostname',
  '-deviceHostname',
  'subjectUsername',
  '-subjectUsername',
  'expiresAt',
  '-expiresAt',
] as const;
