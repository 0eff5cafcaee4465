import {
  hasPartnerWidePolicyRights,
  ProblemError,
  requireWholeOrganization,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type { OwnerScope } from '@gatehouse/contracts-tenancy';
import { type Conditions, scoped, type Tx } from '@gatehouse/database';
import { holdPartner, listedBelow, readableBelow, requireWritable } from './organizations-in-reach.repository.ts';

/** The owner of a definition: the whole partner (orgId null) or one organisation. */
export interface Owner {
  readonly partnerId: string;
  readonly orgId: string | null;
}

interface WantedOwner {
  readonly ownerScope: OwnerScope;
  readonly partnerId?: string;
  readonly orgId?: string;
}

/**
 * Definitions of the organisations in reach and of the caller's whole partner. A caller who reaches no organisation
 * sees none.
 */
export function ownedInReach({ scope }: UserCaller, alias = ''): Conditions {
  const conditions = scoped(scope, { partner: `${alias}partner_id` });
  if (scope.orgs === 'all') return conditions;
  return scope.orgs.size === 0
    ? conditions.raw('FALSE')
    : conditions.add(`(${alias}org_id IS NULL OR ${alias}org_id = ANY (?::uuid[]))`, [...scope.orgs]);
}

/** Definitions that a list shows: those of the whole partner and those of visible organisations. */
export const listedInReach = (caller: UserCaller, alias = ''): Conditions =>
  ownedInReach(caller, alias).raw(`(${alias}org_id IS NULL OR ${listedBelow(caller, `${alias}org_id`)})`);

/** Condition for one definition by id. Below a deleted organisation only the system can read. */
export const oneInReach = (caller: UserCaller, id: string, alias = ''): Conditions =>
  ownedInReach(caller, alias)
    .add(`${alias}id = ?`, id)
    .raw(`(${alias}org_id IS NULL OR ${readableBelow(caller, `${alias}org_id`)})`);

/** What {@link requireOwned} refuses. */
export const OWNED_PROBLEMS = [
  'scope_denied',
  'site_access_denied',
  'organization_not_found',
  'organization_frozen',
  'partner_not_found',
] as const;

/** What {@link requireOwner} refuses. */
export const OWNER_PROBLEMS = [...OWNED_PROBLEMS, 'partner_required', 'org_required'] as const;

/** @throws ProblemError scope_denied unless the caller may act for every organisation of the partner */
function requirePartnerWide(caller: UserCaller): void {
  if (!hasPartnerWidePolicyRights(caller))
    throw new ProblemError(
      'scope_denied',
      'This affects all organisations of the partner and requires partner scope with access to all of them.',
    );
}

export async function requireOwner(
  tx: Tx,
  caller: UserCaller,
  { ownerScope, partnerId, orgId }: WantedOwner,
): Promise<Owner> {
  if (ownerScope === 'partner') {
    requirePartnerWide(caller);
    const owner = caller.partnerId ?? partnerId;
    if (!owner) throw new ProblemError('partner_required');
    return requirePartner(tx, caller, owner);
  }
  const wanted = orgId ?? caller.orgId;
  if (!wanted) throw new ProblemError('org_required', 'orgId is required when an organisation is the owner.');
  return requireOrganization(tx, caller, wanted);
}

/** As {@link requireOwner} for an existing definition. */
export const requireOwned = (tx: Tx, caller: UserCaller, { partnerId, orgId }: Owner): Promise<Owner> =>
  orgId === null ? requirePartner(tx, caller, partnerId) : requireOrganization(tx, caller, orgId);

/** Requires that the caller may act for every organisation of the partner, and holds the partner. */
export async function requirePartner(tx: Tx, caller: UserCaller, partnerId: string): Promise<Owner> {
  requirePartnerWide(caller);
  await holdPartner(tx, partnerId);
  return { partnerId, orgId: null };
}

async function requireOrganization(tx: Tx, caller: UserCaller, orgId: string): Promise<Owner> {
  const organization = await requireWritable(tx, caller, orgId);
  requireWholeOrganization(caller);
  return { partnerId: organization.partnerId, orgId: organization.id };
}

/** Groups the rows of a batch by owner, so that each owner's audit log records its own rows. */
export function byOwner<T extends { readonly owner: Owner }>(rows: readonly T[]): { owner: Owner; rows: T[] }[] {
  const owned: { owner: Owner; rows: T[] }[] = [];
  for (const row of rows) {
    const known = owned.find(
      ({ owner: { partnerId, orgId } }) => partnerId === row.owner.partnerId && orgId === row.owner.orgId,
    );
    if (known) known.rows.push(row);
    else owned.push({ owner: row.owner, rows: [row] });
  }
  return owned;
}
