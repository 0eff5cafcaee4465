import type { UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationResponse } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { organizationNotFound } from '../scope/organizations-in-reach.repository.ts';
import { ORGANIZATION_COLUMNS, type OrganizationRow, organizationView } from './organization.view.ts';

/** @throws ProblemError organization_not_found, whether it is missing, deleted or another tenant's */
export async function findOrganization(
  reader: Reader,
  caller: UserCaller,
  id: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<OrganizationRow> {
  const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'id' })
    .add('id = ?', id)
    .raw('deleted_at IS NULL');
  const organization = await reader.one<OrganizationRow>(
    `SELECT ${ORGANIZATION_COLUMNS}, version FROM organizations ${where} ${lock}`,
    parameters,
  );
  if (!organization) throw organizationNotFound();
  return organization;
}

@Injectable()
export class GetOrganization {
  constructor(private readonly work: UnitOfWork) {}

  async execute(caller: UserCaller, id: string): Promise<OrganizationResponse> {
    return organizationView(await this.work.read(caller, (reader) => findOrganization(reader, caller, id)));
  }
}
