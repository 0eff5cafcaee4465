import { Choice, NestedList, UuidList, Whole, WholeList } from './fields/fields.ts';
import { Text, TextList } from './fields/text-fields.ts';
import { ERROR_STATUS, type ErrorCode } from './error-codes.ts';

const MANY = 1000;
const LONG = 2000;
const HTTP_STATUS = { min: 400, max: 599 };
const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER, optional: true };
const ERROR_CODES = Object.keys(ERROR_STATUS);

/** One member of a request that is not valid. */
export class ProblemIssue {
  /** The member, with the members and positions above it: `rows.3.email`. Empty for the request as a whole. */
  @Text({ max: LONG }) path!: string;
  /** What is wrong with it, as a sentence for people without its subject: `must be a UUID`. */
  @Text({ max: LONG }) message!: string;
}

/**
 * Every error answer (RFC 9457), with the media type `application/problem+json`. Programs decide by `code`; `detail` is
 * for people and may change.
 */
export class Problem {
  /** `urn:gatehouse:problem:` and the code. */
  @Text({ max: 200 }) type!: string;
  /** The code in words. */
  @Text({ max: 200 }) title!: string;
  /** The HTTP status of the answer. */
  @Whole(HTTP_STATUS) status!: number;
  /** What happened, as a sentence for people. */
  @Text({ max: LONG }) detail!: string;
  /** What happened, for programs. The list is closed; each operation names the codes that it can answer with. */
  @Choice(ERROR_CODES) code!: ErrorCode;
  /** The id of the request, which is also in the header `X-Request-Id`; name it when you ask for help. */
  @Text({ max: 200 }) requestId!: string;
  /** Your own id of the request, if you sent a well-formed header `X-Request-Id`. */
  @Text({ max: 64, optional: true }) clientRequestId?: string;

  /** With `validation_failed`: the members that are not valid, at most 50. */
  @NestedList(() => ProblemIssue, { maxItems: 50, optional: true }) issues?: ProblemIssue[];
  /** With `role_not_grantable`: the permissions that you lack. With incomplete providers: the missing settings. */
  @TextList({ max: 200, maxItems: MANY, optional: true }) missing?: string[];
  /** With `mfa_required` before a sign-in is complete: the second factors that the user can prove. */
  @TextList({ max: 50, maxItems: 10, optional: true }) methods?: string[];
  /** With `not_pending` and `not_active`: the status that the elevation request has now. */
  @Text({ max: 50, optional: true }) currentStatus?: string;
  /** With `idempotency_secret_shown`: the id of what the first request made. */
  @Text({ max: 100, optional: true }) id?: string;
  /** With `already_decided`: the status with which the approval ended. */
  @Text({ max: 50, optional: true }) finalStatus?: string;
  /** With `organization_frozen` and `organization_not_archived`: the status of the organisation. */
  @Text({ max: 50, optional: true }) organizationStatus?: string;
  /** With `pam_rule_risk_tier_unreachable`: the risk tiers that the tool can have. */
  @WholeList({ min: 0, max: 4, maxItems: 5, optional: true }) validTiers?: number[];
  /** With `invalid-role`: the roles that a contact can have. */
  @TextList({ max: 50, maxItems: MANY, optional: true }) validRoles?: string[];
  /** With `status_not_settable`: the statuses that this operation can set. */
  @TextList({ max: 50, maxItems: MANY, optional: true }) settable?: string[];
  /** With codes about a limit: the largest number that is allowed. */
  @Whole(COUNT) limit?: number;
  /** With `too_many_rows`: the number of rows in the request. */
  @Whole(COUNT) rows?: number;
  /** With `merge_too_large`: the number of records that the merge would move. */
  @Whole(COUNT) totalMovableRows?: number;
  /** With `merge_blocked`: the reasons. */
  @TextList({ max: LONG, maxItems: MANY, optional: true }) blockers?: string[];
  /** With `signer_group_in_use`: the number of rules that use the group. */
  @Whole(COUNT) references?: number;
  /** With `device_not_found`: the ids among those you sent that name no device. */
  @UuidList({ maxItems: MANY, optional: true }) deviceIds?: string[];
  /** With `domain_not_verified`: the name of the DNS record that must exist. */
  @Text({ max: LONG, optional: true }) recordName?: string;
  /** With `domain_not_verified`: the value that the DNS record must have. */
  @Text({ max: LONG, optional: true }) recordValue?: string;
  /** With `sso_protocol_mismatch`: the address at which the provider's sign-in begins. */
  @Text({ max: LONG, optional: true }) loginUrl?: string;
}
