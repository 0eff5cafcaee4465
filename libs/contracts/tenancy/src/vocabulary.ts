export const PARTNER_TYPES = ['msp', 'enterprise', 'internal'] as const;
export type PartnerType = (typeof PARTNER_TYPES)[number];

export const PARTNER_PLANS = ['free', 'starter', 'community', 'pro', 'enterprise', 'unlimited'] as const;
export type PartnerPlan = (typeof PARTNER_PLANS)[number];

export const PARTNER_STATUSES = ['pending', 'active', 'suspended', 'churned'] as const;
export type PartnerStatus = (typeof PARTNER_STATUSES)[number];

export const ORGANIZATION_TYPES = ['customer', 'internal'] as const;
export type OrganizationType = (typeof ORGANIZATION_TYPES)[number];

/** TEN-07. */
export const ORGANIZATION_STATUSES = [
  'active',
  'suspended',
  'trial',
  'churned',
  'offboarding',
  'merging',
  'archived',
  'purging',
] as const;
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];

/** In an organisation with one of these statuses no service may write anything (decisions, "settable status"). */
export const FROZEN_STATUSES: readonly OrganizationStatus[] = ['archived', 'merging', 'purging'];

/** Lists leave out organisations with these statuses unless the request names the status. */
export const HIDDEN_STATUSES: readonly OrganizationStatus[] = ['archived', 'purging'];

export const DEVICE_STATUSES = ['online', 'offline', 'maintenance', 'awaiting_confirmation', 'decommissioned'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/** TEN-21. */
export const CONTACT_ROLES = ['billing', 'technical', 'escalation', 'admin', 'site', 'after_hours', 'portal'] as const;
export type ContactRole = (typeof CONTACT_ROLES)[number];

export const OWNER_SCOPES = ['partner', 'organization'] as const;
export type OwnerScope = (typeof OWNER_SCOPES)[number];

/** The levels at which a configuration policy can be assigned, farthest first. */
export const POLICY_LEVELS = ['partner', 'organization', 'site', 'group', 'device'] as const;
export type PolicyLevel = (typeof POLICY_LEVELS)[number];
