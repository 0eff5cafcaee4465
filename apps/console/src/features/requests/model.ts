export const SOURCES = ['software_policy', 'pam_rule', 'human', 'org_default'] as const;
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
