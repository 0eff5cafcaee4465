import type { Reader } from '@gatehouse/database';
import { type JustificationPolicy, NO_JUSTIFICATION } from '@gatehouse/pam-domain';

/** SQL for the policy of the row `j` of pam_justification_policies; null without a row. */
export const JUSTIFICATION = `
  CASE WHEN j.org_id IS NOT NULL THEN json_build_object(
    'reason', json_build_object('mode', j.reason_mode, 'minLetters', j.min_letters),
    'ticket', json_build_object('mode', j.ticket_mode, 'masks', j.ticket_masks, 'hint', j.ticket_hint),
    'prompts', json_build_object('hold', j.hold_prompts)) END`;

/**
 * SQL for whether a request of an organisation needs a ticket, where no rulebook could be evaluated: what cannot be
 * evaluated must not be easier to approve than what can.
 */
export const needsTicketOf = (orgId: string): string => `
  coalesce((SELECT j.ticket_mode = 'required' FROM pam_justification_policies j WHERE j.org_id = ${orgId}), false)`;

const OF_REQUEST = `
  SELECT ${JUSTIFICATION} AS policy FROM elevation_requests r
    LEFT JOIN rulebook_instants i ON i.org_id = r.org_id AND i.version = r.rulebook_version
    JOIN rulebook_parts p ON p.kind = 'justification_policy' AND p.id = r.org_id
     AND p.valid_from <= coalesce(i.at, r.requested_at) AND p.valid_to > coalesce(i.at, r.requested_at)
   CROSS JOIN LATERAL jsonb_populate_record(NULL::pam_justification_policies, p.value) j WHERE r.id = $1`;

/** What the organisation of a request asked for when it was made (PAM-213). */
export async function justificationOfRequest(reader: Reader, requestId: string): Promise<JustificationPolicy> {
  return (await reader.one<{ policy: JustificationPolicy }>(OF_REQUEST, [requestId]))?.policy ?? NO_JUSTIFICATION;
}
