import type { DataOf } from '@gatehouse/client';

export type ElevationRequest = DataOf<'/pam/elevation-requests', 'get'>['requests'][number];
export type RequestDetail = DataOf<'/pam/elevation-requests/{id}', 'get'>['request'];

export const STATUSES = ['pending', 'approved', 'auto_approved', 'denied', 'expired', 'revoked', 'actuating'] as const;
export const FLOWS = ['uac_intercept', 'tech_jit_admin', 'ai_tool_action'] as const;
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

/** What is asked for: the file's path, or the tool and its action. */
export const subjectOf = ({ toolName, action, targetExecutablePath }: ElevationRequest): string =>
  (toolName ? [toolName, action].filter(Boolean).join(' · ') : targetExecutablePath) ?? '';
