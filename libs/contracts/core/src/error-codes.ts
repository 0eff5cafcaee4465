/**
 * Every problem code that the product answers, with its HTTP status. The list is closed: a code that is not here does
 * not compile. The comments are published in the OpenAPI document.
 */
export const ERROR_STATUS = {
  /** The request is not valid; `issues` lists the invalid members. */
  validation_failed: 400,
  /** The request changes nothing. */
  no_updates_provided: 400,
  /** You have access to several organisations: choose one with `orgId`. */
  org_required: 400,
  /** Only callers of one partner can do this. */
  partner_context_required: 400,
  /** Choose the partner with `partnerId`. */
  partner_required: 400,
  /** This status has its own operation; `settable` lists those that can be set here. */
  status_not_settable: 400,
  /** A contact needs a name, an e-mail address or a phone number. */
  'no-identifier': 400,
  /** A contact cannot have this role; `validRoles` lists those that it can. */
  'invalid-role': 400,
  /** The site belongs to a different organisation than the contact. */
  'site-not-in-org': 400,
  /** The confirmation does not match the name of the organisation. */
  name_mismatch: 400,
  /** An organisation cannot be merged into itself. */
  same_organization: 400,
  /** The import has more rows than one request can have. */
  too_many_rows: 400,
  /** The provider's discovery document could not be read. */
  oidc_discovery_failed: 400,
  /** The SAML settings of the provider are incomplete or wrong. */
  saml_configuration_invalid: 400,
  /** The SAML metadata cannot be read, or does not describe exactly one identity provider. */
  saml_metadata_invalid: 400,
  /** The SAML metadata address cannot be reached, or is not allowed. */
  saml_metadata_unreachable: 400,
  /** The provider is missing settings that sign-in requires; `missing` lists them. */
  sso_provider_incomplete: 400,
  /** The e-mailed code is wrong, was used, or is older than ten minutes. */
  setup_code_invalid: 400,
  /** The provider uses the other protocol. */
  sso_protocol_mismatch: 400,
  /** The code is unknown, used or expired. */
  exchange_code_invalid: 400,
  /** A provider that creates users needs a role for them. */
  default_role_required: 400,
  /** The second factor's code is wrong, used or expired. */
  mfa_code_invalid: 400,
  /** The invitation is unknown, used, withdrawn or expired. */
  invitation_invalid: 400,
  /** The password reset link is unknown, used or expired. */
  reset_token_invalid: 400,
  /** The password is too common. */
  password_too_common: 400,
  /** The domain's DNS record was not found; `recordName` and `recordValue` show what it must be. */
  domain_not_verified: 400,
  /** The rule contradicts itself, has no criterion, or has a verdict that is not allowed. */
  pam_rule_invalid: 400,
  /** The organisation refuses rules with such findings; `findings` lists them. */
  pam_rule_risky: 400,
  /** The organisation requires a reason with more letters and digits; `hint` describes it. */
  justification_required: 400,
  /** The organisation requires a ticket number; `hint` describes its format. */
  ticket_required: 400,
  /** The ticket number does not have the organisation's format; `hint` describes it. */
  ticket_invalid: 400,
  /** The tool can never have this risk tier; `validTiers` lists the possible ones. */
  pam_rule_risk_tier_unreachable: 400,
  /** The device is decommissioned. */
  device_decommissioned: 400,
  /** The site belongs to another organisation. */
  site_not_in_org: 400,
  /** The signer group belongs to another organisation. */
  signer_group_not_in_org: 400,
  /** The target of the policy or assignment does not exist, or you have no access to it. */
  target_not_found: 400,
  /** The offer to link the accounts is unknown, used or expired, or the confirmation is wrong. */
  link_confirmation_invalid: 400,

  /** The request has no usable credential. */
  not_authenticated: 401,
  /** The access token has expired: refresh the session. */
  token_expired: 401,
  /** The token is unknown or was revoked. */
  token_invalid: 401,
  /** The session was ended: sign in again. */
  session_revoked: 401,
  /** The e-mail address or the password is wrong. */
  invalid_credentials: 401,
  /** The sign-in is unknown or has expired: start again. */
  mfa_token_invalid: 401,
  /** The refresh token is unknown, used or expired: sign in again. */
  refresh_token_invalid: 401,
  /** The set-up link is unknown, expired, revoked or completed: ask for a new link. */
  setup_link_invalid: 401,
  /** The enrolment key is unknown or was revoked. */
  enrollment_key_invalid: 401,
  /** The enrolment key has expired. */
  enrollment_key_expired: 401,
  /** The enrolment key has reached its maximum number of uses. */
  enrollment_key_exhausted: 401,

  /** You do not have the required permission. */
  permission_denied: 403,
  /** The session cookie can be used only by pages of this product (`Origin`). */
  origin_denied: 403,
  /** Confirm your second factor (`POST /auth/mfa/step-up`), then repeat the request. */
  mfa_required: 403,
  /** Callers of your scope cannot do this. */
  scope_denied: 403,
  /** You have no access to the organisation. */
  org_access_denied: 403,
  /** You have no access to the site, or to all sites of the organisation. */
  site_access_denied: 403,
  /** This requires access to the whole partner. */
  partner_access_denied: 403,
  /** The partner is not active. */
  partner_inactive: 403,
  /** Users cannot decide their own requests. */
  self_approval_denied: 403,
  /** You requested it or edited the rule that matched, so others must decide; `reason` says which. */
  separation_of_duties: 403,
  /** This account can sign in only with its identity provider. */
  sso_enforced: 403,
  /** Acting on consent prompts is turned off for this device. */
  pam_actuator_disabled: 403,
  /** The token belongs to another device. */
  device_mismatch: 403,
  /** The device is decommissioned. */
  device_inactive: 403,
  /** The machine is awaiting an administrator's confirmation that it is the existing device. */
  device_awaiting_confirmation: 403,
  /** The organisation is archived. */
  organization_archived: 403,
  /** You cannot grant permissions that you do not have; `missing` lists them. */
  role_not_grantable: 403,

  /** There is nothing at this address. */
  route_not_found: 404,
  /** There is no such partner, or you have no access to it. */
  partner_not_found: 404,
  /** There is no such organisation, or you have no access to it. */
  organization_not_found: 404,
  /** There is no such site, or you have no access to it. */
  site_not_found: 404,
  /** There is no such contact, or you have no access to it. */
  contact_not_found: 404,
  /** There is no such device, or you have no access to it. */
  device_not_found: 404,
  /** There is no such device group, or you have no access to it. */
  device_group_not_found: 404,
  /** There is no such enrolment key, or you have no access to it. */
  enrollment_key_not_found: 404,
  /** There is no such configuration policy, or you have no access to it. */
  configuration_policy_not_found: 404,
  /** The policy has no such assignment. */
  assignment_not_found: 404,
  /** There is no such custom field, or you have no access to it. */
  custom_field_not_found: 404,
  /** There is no such script, or you have no access to it. */
  script_not_found: 404,
  /** There is no such merge, or you have no access to it. */
  merge_run_not_found: 404,
  /** There is no such user, or you have no access to it. */
  user_not_found: 404,
  /** There is no such invitation, or you have no access to it. */
  invitation_not_found: 404,
  /** There is no such role, or you have no access to it. */
  role_not_found: 404,
  /** There is no such API key, or you have no access to it. */
  api_key_not_found: 404,
  /** There is no such session, or you have no access to it. */
  session_not_found: 404,
  /** There is no such second factor. */
  factor_not_found: 404,
  /** There is no such SSO provider, or you have no access to it. */
  sso_provider_not_found: 404,
  /** There is no such SSO domain, or you have no access to it. */
  sso_domain_not_found: 404,
  /** There is no such sign-in attempt, it is too old, or you have no access to it. */
  sso_attempt_not_found: 404,
  /** There is no such change of metadata, or you have no access to it. */
  metadata_change_not_found: 404,
  /** There is no such set-up link, or you have no access to it. */
  setup_link_not_found: 404,
  /** There is no such linked account. */
  sso_link_not_found: 404,
  /** There is no such elevation request, or you have no access to it. */
  elevation_request_not_found: 404,
  /** There is no such tool action, or you have no access to it. */
  tool_action_not_found: 404,
  /** There is no such rule, or you have no access to it. */
  rule_not_found: 404,
  /** There is no such replay, it is older than 7 days, or you have no access to it. */
  replay_not_found: 404,
  /** There is no such signer group, or you have no access to it. */
  signer_group_not_found: 404,
  /** There is no such software policy, or you have no access to it. */
  software_policy_not_found: 404,
  /** There is no such freeze, or you have no access to it. */
  freeze_not_found: 404,
  /** There is no such approval, or you have no access to it. */
  approval_not_found: 404,
  /** The device has no such command. */
  command_not_found: 404,
  /** There is no such push subscription, or you have no access to it. */
  push_subscription_not_found: 404,
  /** There is no such audit entry, or you have no access to it. */
  audit_entry_not_found: 404,
  /** The export address is unknown, used or expired, or its author can no longer export. */
  audit_export_not_found: 404,

  /** Another change was made first, or the same request is still running: read again, then repeat. */
  conflict: 409,
  /** The request was already made, and its secret was shown only then; `id` names what it created. */
  idempotency_secret_shown: 409,
  /** The slug is in use. */
  slug_taken: 409,
  /** The e-mail address is in use. */
  email_taken: 409,
  /** The name is in use. */
  name_taken: 409,
  /** The partner has reached its organisation limit. */
  organization_limit_reached: 409,
  /** The partner or organisation has reached its device limit. */
  device_limit_reached: 409,
  /** The organisation is archived, being merged or being deleted, and is read-only. */
  organization_frozen: 409,
  /** The organisation is not archived. */
  organization_not_archived: 409,
  /** The preview or replay is out of date: check it again. */
  plan_stale: 409,
  /** The organisation already has a task of this kind in progress; `jobId` names it. */
  job_running: 409,
  /** The rules have changed since the replay: replay again. */
  rulebook_stale: 409,
  /** The request was already decided or has expired; `currentStatus` says which. */
  not_pending: 409,
  /** The elevation is not active; `currentStatus` says what it is. */
  not_active: 409,
  /** The AI agent is no longer waiting for a decision. */
  tool_execution_timed_out: 409,
  /** The device is frozen: nothing can be granted or started there until the freeze is lifted. */
  pam_frozen: 409,
  /** The device cannot act on the elevation in its current status. */
  wrong_status: 409,
  /** Another request was processed first. */
  race_lost: 409,
  /** The request was already decided, perhaps by another technician; `finalStatus` says how. */
  already_decided: 409,
  /** You have already approved this request; others must approve it too. */
  already_voted: 409,
  /** The partner does not allow organisations to opt out of this rule. */
  opt_out_not_allowed: 409,
  /** Too few people can approve; `level` names the level, `eligible` says how many can. */
  approvers_insufficient: 409,
  /** Rules use the signer group; `references` says how many. */
  signer_group_in_use: 409,
  /** Users, providers or invitations have this role. */
  role_in_use: 409,
  /** No sign-in has succeeded with the provider's current configuration; enforcing it could lock all users out. */
  sso_enforcement_untested: 409,
  /** The provider is not active: only an active one can observe, warn or enforce. */
  sso_provider_not_active: 409,
  /** Enforcement would lock users out; `stuck` says how many. To confirm, send that number as `confirmStuck`. */
  people_would_be_stuck: 409,
  /** The metadata change has already been applied, dismissed or replaced. */
  metadata_change_settled: 409,
  /** The change would unlink accounts; `links` says how many. To confirm, send that number as `confirmRelink`. */
  links_would_break: 409,
  /** The owner has reached the limit of open set-up links. */
  setup_link_limit_reached: 409,
  /** The provider is active: a set-up link cannot change it. */
  sso_provider_active: 409,
  /** The set-up is not complete; `missing` lists what is missing. */
  setup_incomplete: 409,
  /** The owner has reached the limit of break-glass users. */
  break_glass_limit_reached: 409,
  /** This second factor already exists. */
  factor_exists: 409,
  /** Another owner has verified the domain. */
  domain_taken: 409,

  /** The organisation is being permanently deleted. */
  purge_started: 410,
  /** The approval has expired. */
  approval_expired: 410,

  /** The record has changed since the version in `If-Match`; `currentVersion` is the current one. */
  version_conflict: 412,

  /** The body is larger than this route accepts. */
  payload_too_large: 413,
  /** The body has a media type that this route does not accept, or is compressed. */
  unsupported_media_type: 415,

  /** The `Idempotency-Key` was already used with another request. */
  idempotency_key_reused: 422,
  /** The merge would move more records than one merge can; see `totalMovableRows` and `limit`. */
  merge_too_large: 422,
  /** The merge is blocked; `blockers` lists the reasons. */
  merge_blocked: 422,

  /** The headers are larger than 16 KB, or there are more than 100. */
  header_fields_too_large: 431,
  /** Too many requests: try again after `Retry-After`. */
  rate_limited: 429,
  /** An internal error occurred; quote `requestId` to the operator. */
  internal_error: 500,
  /** Another server gave an invalid response. */
  bad_gateway: 502,
  /** The service is not available at the moment: try again later. */
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;
