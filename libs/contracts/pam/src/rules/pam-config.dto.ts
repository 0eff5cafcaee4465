import { Choice, Flag, Nested, OptionalPageQuery, TextList, Unread, Uuid, Whole } from '@gatehouse/contracts-core';
import {
  APPROVAL_MINUTES,
  DEFAULT_VERDICTS,
  type DefaultVerdict,
  RISKY_RULES,
  type RiskyRules,
} from '../vocabulary.ts';

/** Names the organisation when the caller reaches several. */
export class OrgQuery {
  @Uuid({ optional: true }) orgId?: string;
}

/** A list of one organisation, whole unless a page or a limit is named (PAM-193). */
export class OrgListQuery extends OptionalPageQuery {
  @Uuid({ optional: true }) orgId?: string;
}

const OWN_PROMPTS = 'Whether people may approve prompts of their own accounts.';

const REASONS = { min: 1, max: 200, maxItems: 10, trim: true };
const APPROVE_REASONS = 'Reasons that the console offers to those who approve a request.';
const DENY_REASONS = 'Reasons that the console offers to those who deny a request.';

/** PAM-77; `defaultApprovalMinutes` is what rules without a duration of their own use. */
export class PamConfigRecord {
  @Uuid() orgId!: string;
  @Choice(DEFAULT_VERDICTS) defaultUnmatchedVerdict!: DefaultVerdict;
  @Whole(APPROVAL_MINUTES) defaultApprovalMinutes!: number;
  @Choice(RISKY_RULES, { description: 'What happens to rules in which the linter finds an error.' })
  riskyRules!: RiskyRules;
  @Flag({ description: OWN_PROMPTS }) allowSelfApproval!: boolean;
  @TextList({ ...REASONS, description: APPROVE_REASONS }) approveReasons!: string[];
  @TextList({ ...REASONS, description: DENY_REASONS }) denyReasons!: string[];
  @Whole({ min: 0, max: 2_147_483_647, description: 'Counts the changes; 0 before any.' }) version!: number;
}

export class UpdatePamConfigDto {
  @Choice(DEFAULT_VERDICTS) defaultUnmatchedVerdict!: DefaultVerdict;
  @Whole({ ...APPROVAL_MINUTES, optional: true }) defaultApprovalMinutes?: number;
  @Choice(RISKY_RULES, {
    optional: true,
    description:
      'Whether rules that approve or ignore are refused (`refuse`) when the linter finds a severe fault in them; stays when left out.',
  })
  riskyRules?: RiskyRules;
  @Flag({ optional: true, description: `${OWN_PROMPTS} Stays when left out.` }) allowSelfApproval?: boolean;
  @TextList({ ...REASONS, optional: true, description: `${APPROVE_REASONS} They stay when left out.` })
  approveReasons?: string[];
  @TextList({ ...REASONS, optional: true, description: `${DENY_REASONS} They stay when left out.` })
  denyReasons?: string[];
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
  @Unread('the record may be sent back whole') version?: unknown;
}

export class PamConfigResponse {
  @Flag() success!: true;
  @Nested(() => PamConfigRecord) config!: PamConfigRecord;
}

export class SuccessResponse {
  @Flag() success!: true;
}
