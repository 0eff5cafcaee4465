import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { FROZEN_STATUSES, type OrganizationStatus } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, type Tx } from '@gatehouse/database';

export interface OrganizationInReach {
  readonly id: string;
  readonly partnerId: string;
  readonly name: string;
  readonly status: OrganizationStatus;
}

export const organizationNotFound = (): ProblemError =>
  new ProblemError('organization_not_found', 'Organization not found.');
const denied = (): ProblemError => new ProblemError('org_access_denied', 'Access to this organization denied.');

/** Rows below a deleted, archived or purging organisation are in no list; the sub-select runs once for a statement. */
export const VISIBLE_ORGANIZATIONS_ONLY = (column: string): string =>
  `${column} NOT IN (SELECT hidden_org.id FROM organizations hidden_org WHERE hidden_org.hidden)`;

/**
 * SQL for the lists of a caller: rows below archived and purging organisations are in none, those below deleted
 * organisations only in the system's, as those below deleted partners are.
 */
export const listedBelow = ({ level }: UserCaller, column: string): string =>
  level === 'system'
    ? `${column} NOT IN (SELECT hidden_org.id FROM organizations hidden_org WHERE hidden_org.hidden AND hidden_org.deleted_at IS NULL)`
    : VISIBLE_ORGANIZATIONS_ONLY(column);

export const OF_LIVING_ORGANIZATION = (column: string): string =>
  `EXISTS (SELECT FROM organizations living_org WHERE living_org.id = ${column} AND living_org.deleted_at IS NULL)`;

/** SQL for reading one row: below an archived organisation each caller can, below a deleted one only the system. */
export const readableBelow = ({ level }: UserCaller, column: string): string =>
  level === 'system' ? 'TRUE' : OF_LIVING_ORGANIZATION(column);

async function hold(tx: Tx, caller: UserCaller, orgId: string): Promise<OrganizationInReach | null> {
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'id' })
    .add('id = ?', orgId)
    .raw('deleted_at IS NULL');
  return tx.one<OrganizationInReach>(
    `SELECT id, partner_id, name, status FROM organizations ${conditions.where} FOR SHARE`,
    conditions.parameters,
  );
}

/** @throws ProblemError organization_frozen while the organisation is archived, merging or purging */
export function requireNotFrozen({ status }: { status: OrganizationStatus }): void {
  if (FROZEN_STATUSES.includes(status))
    throw new ProblemError('organization_frozen', `This organization is ${status}; nothing below it can be changed.`, {
      organizationStatus: status,
    });
}

/**
 * The organisation below which something is read; the system reads below a deleted one, too.
 * @throws ProblemError organization_not_found, whether it is missing, deleted or another tenant's
 */
export async function requireReadable(reader: Reader, caller: UserCaller, orgId: string): Promise<void> {
  const conditions = scoped(caller.scope, { partner: 'partner_id', org: 'id' }).add('id = ?', orgId);
  const { where, parameters } = caller.level === 'system' ? conditions : conditions.raw('deleted_at IS NULL');
  if (!(await reader.one(`SELECT id FROM organizations ${where}`, parameters))) throw organizationNotFound();
}

/**
 * The organisation under which something is about to be written. It stays as it is until the transaction ends: an
 * archive
 * or a merge waits for the write, or the write finds it frozen.
 * @throws ProblemError organization_not_found, organization_frozen
 */
export async function requireWritable(tx: Tx, caller: UserCaller, orgId: string): Promise<OrganizationInReach> {
  const organization = await hold(tx, caller, orgId);
  if (!organization) throw organizationNotFound();
  requireNotFrozen(organization);
  return organization;
}

/**
 * As {@link requireWritable}, with the answer that the site routes give for organisations out of reach
 * (TEN-11).
 * @throws ProblemError org_access_denied, organization_not_found, organization_frozen
 */
export async function requireWritableForSite(tx: Tx, caller: UserCaller, orgId: string): Promise<OrganizationInReach> {
  const organization = await hold(tx, caller, orgId);
  if (!organization) throw caller.level === 'system' ? organizationNotFound() : denied();
  requireNotFrozen(organization);
  return organization;
}

const SURVIVES = `SELECT id FROM organization_runs WHERE survivor_id = $1 AND state IN ('queued', 'running') LIMIT 1`;

/** @throws ProblemError organization_frozen while another organisation is being merged into this one */
export async function requireNotSurviving(tx: Tx, id: string): Promise<void> {
  if (await tx.one(SURVIVES, [id])) requireNotFrozen({ status: 'merging' });
}
