import type { UserCaller } from '@gatehouse/contracts-core';
import type { PamConfigRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { OrgConfigRepository } from './org-config.repository.ts';

@Injectable()
export class GetOrgConfig {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly orgConfig: OrgConfigRepository,
  ) {}

  /** @throws ProblemError org_required, organization_not_found */
  execute(caller: UserCaller, named: string | undefined): Promise<PamConfigRecord> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return this.orgConfig.find(reader, orgId);
    });
  }
}
