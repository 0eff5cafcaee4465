import { type AccessLevel, invalid, ProblemError, seesOrg, type UserCaller } from '@gatehouse/contracts-core';
import type { MembershipDto, MembershipRecord, OrgAccess } from '@gatehouse/contracts-identity';

/**
 * The complete target of a membership: its tenant and its reach, which is within the reach of the caller who grants it.
 */
export interface Placement {
  readonly level: AccessLevel;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly orgAccess: OrgAccess;
  readonly orgIds: readonly string[];
  readonly siteIds: readonly string[];
}

/** The fields of a membership, or of the offer of one, that carry authority. */
export const PLACE_FIELDS = [
  'level',
  'partnerId',
  'orgId',
  'roleId',
  'orgAccess',
  'orgIds',
  'siteIds',
  'status',
] as const;

/** A placement with the role that it gives. */
export type GrantedPlacement = Placement & { readonly roleId: string };

export type NewMembership = GrantedPlacement & { readonly id: string; readonly suspended?: boolean };

export const SYSTEM: Placement = {
  level: 'system',
  partnerId: null,
  orgId: null,
  orgAccess: 'all',
  orgIds: [],
  siteIds: [],
};

const FOREIGN_LIMITS = {
  system: ['partnerId', 'orgId', 'orgAccess', 'orgIds', 'siteIds'],
  partner: ['orgId', 'siteIds'],
  organization: ['orgAccess', 'orgIds'],
} as const satisfies Record<AccessLevel, readonly (keyof MembershipDto)[]>;

type PartnerOfOrg = (orgId: string) => string | null;

function onPartner(
  caller: UserCaller,
  { partnerId: wanted, orgAccess, orgIds = [] }: MembershipDto,
  partnerOfOrg: PartnerOfOrg,
): Placement {
  const partnerId = wanted ?? caller.partnerId;
  if (!partnerId) throw new ProblemError('partner_required');
  const access = orgAccess ?? (orgIds.length > 0 ? 'selected' : 'all');
  if (access !== 'selected' && orgIds.length > 0)
    throw invalid('membership.orgIds', 'goes with orgAccess selected only');
  if (!orgIds.every((id) => partnerOfOrg(id) === partnerId)) throw new ProblemError('organization_not_found');
  return { level: 'partner', partnerId, orgId: null, orgAccess: access, orgIds: [...new Set(orgIds)], siteIds: [] };
}

/**
 * Rejects limits that the scope does not support. Ignoring them would grant a wider reach than the caller intended.
 * @throws ProblemError validation_failed that names the member
 */
function requireLimitsOfScope({ scope, partnerId, orgId, orgAccess, orgIds, siteIds }: MembershipDto): void {
  const isLimited = orgAccess !== undefined && orgAccess !== 'all';
  const given = {
    partnerId: Boolean(partnerId),
    orgId: Boolean(orgId),
    orgAccess: isLimited,
    orgIds: Boolean(orgIds?.length),
    siteIds: Boolean(siteIds?.length),
  };
  const foreign = FOREIGN_LIMITS[scope].find((member) => given[member]);
  if (foreign) throw invalid(`membership.${foreign}`, `does not go with ${scope} scope`);
}

function inOrganization(
  caller: UserCaller,
  { partnerId: named, orgId: wanted, siteIds = [] }: MembershipDto,
  partnerOfOrg: PartnerOfOrg,
): Placement {
  const orgId = wanted ?? caller.orgId;
  if (!orgId) throw new ProblemError('org_required', 'Choose the organisation: orgId is required.');
  const partnerId = partnerOfOrg(orgId);
  if (named && named !== partnerId) throw new ProblemError('organization_not_found');
  return { level: 'organization', partnerId, orgId, orgAccess: 'all', orgIds: [], siteIds: [...new Set(siteIds)] };
}

/**
 * @param partnerOfOrg returns the partner of a known organisation, null for an unknown one
 * @throws ProblemError that names what is missing
 */
export function placementOf(caller: UserCaller, input: MembershipDto, partnerOfOrg: PartnerOfOrg): Placement {
  requireLimitsOfScope(input);
  if (input.scope === 'system') return SYSTEM;
  return input.scope === 'partner'
    ? onPartner(caller, input, partnerOfOrg)
    : inOrganization(caller, input, partnerOfOrg);
}

const covers = (held: 'all' | ReadonlySet<string>, wanted: readonly string[]): boolean =>
  held === 'all' || wanted.every((id) => held.has(id));

function requireReachOnPartner(caller: UserCaller, { partnerId, orgAccess, orgIds }: Placement): void {
  const { scope } = caller;
  if (caller.level === 'organization')
    throw new ProblemError('scope_denied', 'Partner memberships can be granted only in partner scope.');
  if (scope.partner !== 'all' && scope.partner !== partnerId) throw new ProblemError('partner_access_denied');
  if (orgAccess === 'all' && scope.orgs !== 'all')
    throw new ProblemError('org_access_denied', 'You do not have access to all organisations.');
  if (!covers(scope.orgs, orgIds))
    throw new ProblemError('org_access_denied', 'You do not have access to all of these organisations.');
}

function requireReachInOrg({ scope }: UserCaller, { partnerId, orgId, siteIds }: Placement): void {
  if (!partnerId || !orgId || !seesOrg(scope, partnerId, orgId)) throw new ProblemError('organization_not_found');
  if (scope.sites === 'all') return;
  if (siteIds.length === 0 || !covers(scope.sites, siteIds))
    throw new ProblemError('site_access_denied', 'You do not have access to all of these sites.');
}

/** What {@link requireReach} refuses of a membership that the caller sees. */
export const REACH_PROBLEMS = [
  'scope_denied',
  'partner_access_denied',
  'org_access_denied',
  'site_access_denied',
] as const;

/** A caller cannot give, change or remove a membership with a wider reach than their own. */
export function requireReach(caller: UserCaller, placement: Placement): void {
  if (placement.level === 'system') {
    if (caller.level !== 'system')
      throw new ProblemError('scope_denied', 'System memberships can be granted only in system scope.');
  } else if (placement.level === 'partner') requireReachOnPartner(caller, placement);
  else requireReachInOrg(caller, placement);
}

export const placementIn = ({ scope, partnerId, orgId, orgAccess, orgIds, siteIds }: MembershipRecord): Placement => ({
  level: scope,
  partnerId,
  orgId,
  orgAccess,
  orgIds,
  siteIds,
});

export const sameTarget = (a: Placement, b: Placement): boolean =>
  a.level === b.level && a.partnerId === b.partnerId && a.orgId === b.orgId;

/** SQL: whether the live membership `c` reaches the whole owner of the provider `p`. */
export const ADMINISTERS_OWNER = `(c.level = 'system' OR c.partner_id = p.partner_id AND CASE c.level
             WHEN 'partner' THEN c.org_access = 'all' OR (c.org_access = 'selected' AND p.org_id = ANY (c.org_ids))
             ELSE c.org_id = p.org_id AND c.site_ids = '{}' END)`;
