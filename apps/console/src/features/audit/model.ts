import type { DataOf } from '@gatehouse/client';

export type AuditEntry = DataOf<'/audit-logs', 'get'>['data'][number];

export const RESULTS = ['success', 'failure', 'denied'] as const;

export interface AuditFilter {
  readonly org?: string;
  /** An action, or the beginning of several: `pam.rule.*`. */
  readonly action?: string;
  readonly actor?: string;
  readonly resource?: string;
  readonly result?: (typeof RESULTS)[number];
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
}

/** The filter as the API names its parts. */
export const queryOf = ({ org, action, actor, resource, result, from, to, q }: AuditFilter) => ({
  ...(org && { orgId: org }),
  ...(action && { action: [action] }),
  ...(actor && { actorId: actor }),
  ...(resource && { resourceId: resource }),
  ...(result && { result }),
  ...(from && { from }),
  ...(to && { to }),
  ...(q && { search: q }),
});

/** `pam.rule.update` → `pam rule update`: readable where no sentence is known. */
export const readable = (action: string): string => action.replaceAll(/[._]/g, ' ');
