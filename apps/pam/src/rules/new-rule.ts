import { DEFAULT_RULE_PRIORITY } from '@gatehouse/contracts-pam';
import { NO_CRITERIA } from '@gatehouse/pam-domain';

/** What a new rule has unless its author says otherwise. */
export const NEW_RULE = {
  ...NO_CRITERIA,
  priority: DEFAULT_RULE_PRIORITY,
  enabled: true,
  description: null,
  approvalDurationMinutes: null,
  mode: 'live',
} as const;
