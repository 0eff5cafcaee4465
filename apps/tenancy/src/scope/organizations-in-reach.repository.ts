import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { FROZEN_STATUSES, type OrganizationStatus } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, type Tx } from '@gatehouse/database';

export interface OrganizationInReach {
  readonly id: string;
  readonly partnerId: string;
  readonly name: string;
  readonly status: OrganizationStatus;
}

export const organizationNotFound = (): ProblemError => new ProblemError('organization_not_found');

/** The problem that the site routes answer for an organisation outside the reach, whether it exists or not (TEN-11). */
const outsideReachOfSites = ({ level }: UserCaller): ProblemError =>
  level === 'system' ? organizationNotFound() : new ProblemError('org_access_denied');

/**
 * Excludes rows below a deleted, archived or purging organisation from lists; the sub-select runs once for each
 * statement.
 */
export const VISIBLE_ORGANIZATIONS_ONLY = (column: string): string =>
  `${column} NOT IN (SELECT hidden_org.id FROM organizations hidden_org WHERE hidden_org.hidden)`;

/**
 * Condition for the lists of a caller: rows below archived and purging organisations are excluded; rows below deleted
 * organisations and partners appear only for the system.
 */
export const listedBelow = ({ level }: UserCaller, column: string): string =>
  level === 'system'
    ? `${column} NOT IN (SELECT hidden_org.id FROM organizations hidden_org WHERE hidden_org.hidden
      AND hidden_org.deleted_at IS NULL)`
    : VISIBLE_ORGANIZATIONS_ONLY(column);

export const OF_LIVING_ORGANIZATION = (column: string): string =>
  `EXISTS (SELECT FROM organizations living_org WHERE living_org.id = ${column} AND living_org.deleted_at IS NULL)`;

/**
 * Condition for reading one row: any caller can read below an archived organisation, only the system below a deleted
 * one.
 */
export const readableBelow = ({ level }: UserCaller, column: string): string =>
  level === 'system' ? 'TRUE' : OF_LIVING_ORGANIZATION(column);

/** Condition for changes: the system still reads below a deleted partner, but nothing there can be changed. */
export const OF_LIVING_PARTNER =
  'EXISTS (SELECT FROM partners living WHERE living.id = partner_id AND living.deleted_at IS NULL)';

async function hold(tx: Tx, caller: UserCaller, orgId: string): Promise<OrganizationInReach | null> {
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'id' })
    .add('id = ?', orgId)
    .raw(`deleted_at IS NULL AND ${OF_LIVING_PARTNER}`);
  return tx.one<OrganizationInReach>(
    `SELECT id, partner_id, name, status FROM organizations ${conditions.where} FOR SHARE`,
    conditions.parameters,
  );
}

/** @throws ProblemError organization_frozen while the organisation is archived, merging or purging */
export function requireNotFrozen({ status }: { status: OrganizationStatus }): void {
  if (FROZEN_STATUSES.includes(status))
    throw new ProblemError('organization_frozen', `This organisation is ${status} and read-only.`, {
      organizationStatus: status,
    });
}

/**
 * Requires that the caller can read below the organisation; the system can also read below a deleted one.
 * @throws ProblemError organization_not_found, whether it is missing, deleted or another tenant's
 */
export async function requireReadable(reader: Reader, caller: UserCaller, orgId: string): Promise<void> {
  if (!(await isReadable(reader, caller, orgId))) throw organizationNotFound();
}

/** As {@link requireReadable}, with the problem of the site routes. */
export async function requireReadableForSites(reader: Reader, caller: UserCaller, orgId: string): Promise<void> {
  if (!(await isReadable(reader, caller, orgId))) throw outsideReachOfSites(caller);
}

async function isReadable(reader: Reader, caller: UserCaller, orgId: string): Promise<boolean> {
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'id' }).add('id = ?', orgId);
  const { where, parameters } = caller.level === 'system' ? conditions : conditions.raw('deleted_at IS NULL');
  return (await reader.one(`SELECT id FROM organizations ${where}`, parameters)) !== null;
}

/**
 * Requires that the caller can write below the organisation, and locks it until the transaction ends: a concurrent
 * archive or merge waits for the write, or the write finds the organisation frozen.
 */
export async function requireWritable(tx: Tx, caller: UserCaller, orgId: string): Promise<OrganizationInReach> {
  const organization = await hold(tx, caller, orgId);
  if (!organization) throw organizationNotFound();
  requireNotFrozen(organization);
  return organization;
}

/** As {@link requireWritable}, with the problem of the site routes. */
export async function requireWritableForSite(tx: Tx, caller: UserCaller, orgId: string): Promise<OrganizationInReach> {
  const organization = await hold(tx, caller, orgId);
  if (!organization) throw outsideReachOfSites(caller);
  requireNotFrozen(organization);
  return organization;
}

const SURVIVES = `SELECT id FROM organization_runs WHERE survivor_id = $1 AND state IN ('queued', 'running') LIMIT 1`;

/** @throws ProblemError organization_frozen while another organisation is being merged into this one */
export async function requireNotSurviving(tx: Tx, id: string): Promise<void> {
  if (await tx.one(SURVIVES, [id])) requireNotFrozen({ status: 'merging' });
}

const HOLD_PARTNER = 'SELECT FROM partners WHERE id = $1 AND deleted_at IS NULL FOR SHARE';

/** Holds the partner until the transaction ends. @throws ProblemError partner_not_found for one that was deleted */
export async function holdPartner(tx: Tx, partnerId: string): Promise<void> {
  if (!(await tx.one(HOLD_PARTNER, [partnerId]))) throw new ProblemError('partner_not_found');
}
