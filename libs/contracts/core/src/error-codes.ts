/**
 * Every problem code that the product answers, with its HTTP status. The list is closed: a code that is not here does
 * not compile. The comments are published in the OpenAPI document.
 */
export const ERROR_STATUS = {
  /** The request is not valid; `issues` names each member that is wrong. */
  validation_failed: 400,
  /** The body names nothing to change. */
  no_updates_provided: 400,
  /** You reach several organisations: name one with `orgId`. */
  org_required: 400,
  /** Only callers of one partner can do this. */
  partner_context_required: 400,
  /** Name the partner with `partnerId`. */
  partner_required: 400,
  /** This status is only set by its own operation; `settable` lists the others. */
  status_not_settable: 400,
  /** A contact needs a name, an e-mail address or a phone number. */
  'no-identifier': 400,
  /** A contact cannot have this role; `validRoles` lists those that it can. */
  'invalid-role': 400,
  /** The site belongs to another organisation than the contact. */
  'site-not-in-org': 400,
  /** The name that confirms the merge is not the name of the organisation. */
  name_mismatch: 400,
  /** An organisation cannot be merged into itself. */
  same_organization: 400,
  /** The import has more rows than one request may have. */
  too_many_rows: 400,
  /** The provider's discovery document could not be read. */
  oidc_discovery_failed: 400,
  /** The SAML settings of the provider are incomplete or wrong. */
  saml_configuration_invalid: 400,
  /** The SAML metadata cannot be read, or does not describe one identity provider. */
  saml_metadata_invalid: 400,
  /** The address of the SAML metadata cannot be reached, or is not allowed. */
  saml_metadata_unreachable: 400,
  /** The provider lacks settings that a sign-in needs; `missing` lists them. */
  sso_provider_incomplete: 400,
  /** The code of the mail is wrong, was used, or is older than ten minutes. */
  setup_code_invalid: 400,
  /** The provider speaks the other protocol. */
  sso_protocol_mismatch: 400,
  /** The code is unknown, used or too old. */
  exchange_code_invalid: 400,
  /** A provider that creates users needs a role for them. */
  default_role_required: 400,
  /** The code of the second factor is wrong, used or too old. */
  mfa_code_invalid: 400,
  /** The invitation is unknown, used, withdrawn or too old. */
  invitation_invalid: 400,
  /** The link for a new password is unknown, used or too old. */
  reset_token_invalid: 400,
  /** The password is one that attackers would try first. */
  password_too_common: 400,
  /** The DNS record of the domain was not found; `recordName` and `recordValue` say what it must be. */
  domain_not_verified: 400,
  /** The rule contradicts itself, has no criterion or has a verdict that it cannot have. */
  pam_rule_invalid: 400,
  /** The organisation refuses rules with such findings; `findings` lists them. */
  pam_rule_risky: 400,
  /** The organisation asks for a reason with more letters and digits than this one has; `hint` says what it expects. */
  justification_required: 400,
  /** The organisation asks for the number of a ticket; `hint` says what one looks like. */
  ticket_required: 400,
  /** The ticket looks like none of the organisation's; `hint` says what one looks like. */
  ticket_invalid: 400,
  /** The tool never has this risk tier; `validTiers` lists those that it can have. */
  pam_rule_risk_tier_unreachable: 400,
  /** The device is decommissioned. */
  device_decommissioned: 400,
  /** The site belongs to another organisation. */
  site_not_in_org: 400,
  /** The signer group belongs to another organisation. */
  signer_group_not_in_org: 400,
  /** The target of the policy or assignment does not exist in your reach. */
  target_not_found: 400,
  /** The offer to link the accounts is unknown, used or too old, or the proof is wrong. */
  link_confirmation_invalid: 400,

  /** There is no usable credential in the request. */
  not_authenticated: 401,
  /** The access token has expired: refresh the session. */
  token_expired: 401,
  /** The token is not one of ours, or was withdrawn. */
  token_invalid: 401,
  /** The session was ended: sign in again. */
  session_revoked: 401,
  /** The e-mail address or the password is wrong. */
  invalid_credentials: 401,
  /** The sign-in that waits for a second factor is unknown or too old: start again. */
  mfa_token_invalid: 401,
  /** The refresh token is unknown, used or too old: sign in again. */
  refresh_token_invalid: 401,
  /** The set-up link or the visit is unknown, over, revoked or finished: ask for a new link. */
  setup_link_invalid: 401,
  /** The enrolment key is unknown or was withdrawn. */
  enrollment_key_invalid: 401,
  /** The enrolment key has expired. */
  enrollment_key_expired: 401,
  /** The enrolment key was used as often as it may be. */
  enrollment_key_exhausted: 401,

  /** You lack the permission that this needs. */
  permission_denied: 403,
  /** The request did not come from a page of this product (`Origin`), and so cannot use the session cookie. */
  origin_denied: 403,
  /** Prove your second factor (`POST /auth/mfa/step-up`) and repeat the request. */
  mfa_required: 403,
  /** Callers of your scope cannot do this. */
  scope_denied: 403,
  /** The organisation is outside your reach. */
  org_access_denied: 403,
  /** The site, or everything above it, is outside your reach. */
  site_access_denied: 403,
  /** Only callers who reach the whole partner can do this. */
  partner_access_denied: 403,
  /** The partner is not active. */
  partner_inactive: 403,
  /** A user cannot decide a request of their own. */
  self_approval_denied: 403,
  /** You asked for it, or edited the rule that matched, so others have to decide; `reason` says which. */
  separation_of_duties: 403,
  /** This account signs in through its identity provider only. */
  sso_enforced: 403,
  /** Acting on consent prompts is switched off for this device. */
  pam_actuator_disabled: 403,
  /** The token belongs to another device. */
  device_mismatch: 403,
  /** The device is decommissioned. */
  device_inactive: 403,
  /** The machine waits until an administrator confirms that it returns as its former device. */
  device_awaiting_confirmation: 403,
  /** The organisation is archived. */
  organization_archived: 403,
  /** You cannot give what you lack; `missing` lists the permissions. */
  role_not_grantable: 403,

  /** There is nothing at this address. */
  route_not_found: 404,
  /** There is no such partner in your reach. */
  partner_not_found: 404,
  /** There is no such organisation in your reach. */
  organization_not_found: 404,
  /** There is no such site in your reach. */
  site_not_found: 404,
  /** There is no such contact in your reach. */
  contact_not_found: 404,
  /** There is no such device in your reach. */
  device_not_found: 404,
  /** There is no such device group in your reach. */
  device_group_not_found: 404,
  /** There is no such enrollment key in your reach. */
  enrollment_key_not_found: 404,
  /** There is no such configuration policy in your reach. */
  configuration_policy_not_found: 404,
  /** The policy has no such assignment. */
  assignment_not_found: 404,
  /** There is no such custom field in your reach. */
  custom_field_not_found: 404,
  /** There is no such script in your reach. */
  script_not_found: 404,
  /** There is no such merge in your reach. */
  merge_run_not_found: 404,
  /** There is no such user in your reach. */
  user_not_found: 404,
  /** There is no such invitation in your reach. */
  invitation_not_found: 404,
  /** There is no such role in your reach. */
  role_not_found: 404,
  /** There is no such API key in your reach. */
  api_key_not_found: 404,
  /** There is no such session in your reach. */
  session_not_found: 404,
  /** There is no such second factor. */
  factor_not_found: 404,
  /** There is no such SSO provider in your reach. */
  sso_provider_not_found: 404,
  /** There is no such SSO domain in your reach. */
  sso_domain_not_found: 404,
  /** There is no such sign-in attempt in your reach, or it is too old. */
  sso_attempt_not_found: 404,
  /** There is no such change of metadata in your reach. */
  metadata_change_not_found: 404,
  /** There is no such set-up link in your reach. */
  setup_link_not_found: 404,
  /** There is no such linked account. */
  sso_link_not_found: 404,
  /** There is no such elevation request in your reach. */
  elevation_request_not_found: 404,
  /** There is no such tool action in your reach. */
  tool_action_not_found: 404,
  /** There is no such rule in your reach. */
  rule_not_found: 404,
  /** There is no such replay in your reach, or it is older than 7 days. */
  replay_not_found: 404,
  /** There is no such signer group in your reach. */
  signer_group_not_found: 404,
  /** There is no such software policy in your reach. */
  software_policy_not_found: 404,
  /** There is no such freeze in your reach. */
  freeze_not_found: 404,
  /** There is no such approval in your reach. */
  approval_not_found: 404,
  /** The device has no such command. */
  command_not_found: 404,
  /** There is no such push subscription in your reach. */
  push_subscription_not_found: 404,
  /** There is no such audit entry in your reach. */
  audit_entry_not_found: 404,
  /** The address of an export is unknown, was used or has expired, or its author may no longer export. */
  audit_export_not_found: 404,

  /** Another change came first, or the same request is still running: read again, then repeat. */
  conflict: 409,
  /** The request was a repetition. What it made was shown once, with its secret; `id` names it. */
  idempotency_secret_shown: 409,
  /** The slug is in use. */
  slug_taken: 409,
  /** The e-mail address is in use. */
  email_taken: 409,
  /** The name is in use. */
  name_taken: 409,
  /** The partner has as many organisations as it may have. */
  organization_limit_reached: 409,
  /** The partner or organisation has as many devices as it may have. */
  device_limit_reached: 409,
  /** The organisation is archived, being merged or being purged, so nothing below it can change. */
  organization_frozen: 409,
  /** The organisation is not archived. */
  organization_not_archived: 409,
  /** What the preview or replay showed is not what was accepted, or has changed since: look again. */
  plan_stale: 409,
  /** Work of this kind is under way for the organisation; `jobId` names it. */
  job_running: 409,
  /** The rules have changed since the replay: replay again. */
  rulebook_stale: 409,
  /** The request was decided or has expired; `currentStatus` says which. */
  not_pending: 409,
  /** The elevation is not in force; `currentStatus` says what it is. */
  not_active: 409,
  /** The AI agent no longer waits for a decision. */
  tool_execution_timed_out: 409,
  /** A freeze covers the device: nothing may be granted or acted on there until it is lifted. */
  pam_frozen: 409,
  /** The elevation is not one that the device can act on now. */
  wrong_status: 409,
  /** Another call was faster. */
  race_lost: 409,
  /** The request was decided, perhaps by another technician; `finalStatus` says how. */
  already_decided: 409,
  /** You have approved this request already; it needs the approval of others. */
  already_voted: 409,
  /** The partner does not let organisations leave this rule. */
  opt_out_not_allowed: 409,
  /** Too few people could approve; `level` names the level, `eligible` says how many there are. */
  approvers_insufficient: 409,
  /** Rules refer to the signer group; `references` says how many. */
  signer_group_in_use: 409,
  /** Users, providers or invitations have this role. */
  role_in_use: 409,
  /** No sign-in has succeeded with the provider's present configuration, so enforcing it could lock all users out. */
  sso_enforcement_untested: 409,
  /** The provider is not active: only an active one can observe, warn or enforce. */
  sso_provider_not_active: 409,
  /** Enforcement would lock users out; `stuck` says how many. Send it as `confirmStuck`. */
  people_would_be_stuck: 409,
  /** The change of metadata was applied, dismissed or replaced already. */
  metadata_change_settled: 409,
  /** The change would make accounts that are linked void; `links` says how many. Send it as `confirmRelink`. */
  links_would_break: 409,
  /** The owner has as many open set-up links as it may have. */
  setup_link_limit_reached: 409,
  /** The provider is active: a set-up link may not change it. */
  sso_provider_active: 409,
  /** The set-up is not finished; `missing` says what it lacks. */
  setup_incomplete: 409,
  /** The owner has as many break-glass users as it may have. */
  break_glass_limit_reached: 409,
  /** There is such a second factor already. */
  factor_exists: 409,
  /** Another owner has verified the domain. */
  domain_taken: 409,

  /** The organisation is being deleted for good. */
  purge_started: 410,
  /** The approval waited too long and has expired. */
  approval_expired: 410,

  /** The record was changed since the version that `If-Match` names; `currentVersion` is its present one. */
  version_conflict: 412,

  /** The body is larger than this route takes. */
  payload_too_large: 413,
  /** The body is not of the media type that this route takes, or is compressed. */
  unsupported_media_type: 415,

  /** The `Idempotency-Key` was used with another request. */
  idempotency_key_reused: 422,
  /** The merge would move more rows than one merge may; see `totalMovableRows` and `limit`. */
  merge_too_large: 422,
  /** Something prevents the merge; `blockers` says what. */
  merge_blocked: 422,

  /** The headers are larger than 16 KB, or there are more than 100. */
  header_fields_too_large: 431,
  /** Too many requests: wait as long as `Retry-After` says. */
  rate_limited: 429,
  /** Something went wrong on our side; `requestId` leads to the details. */
  internal_error: 500,
  /** Another server did not answer as it should. */
  bad_gateway: 502,
  /** The service cannot answer at the moment: try again later. */
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
