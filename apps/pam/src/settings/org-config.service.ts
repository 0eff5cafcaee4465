import { requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { PamConfigRecord, UpdatePamConfigDto } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { auditSettings } from '../tenants/org-settings.ts';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { OrgConfigRepository } from './org-config.repository.ts';

@Injectable()
export class OrgConfigService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly orgConfig: OrgConfigRepository,
  ) {}

  get(caller: UserCaller, named: string | undefined): Promise<PamConfigRecord> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return this.orgConfig.find(reader, orgId);
    });
  }

  update(caller: UserCaller, update: UpdatePamConfigDto): Promise<PamConfigRecord> {
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.lockSettings(tx, caller, update.orgId);
      const before = await this.orgConfig.find(tx, organization.orgId);
      requireVersion(caller, before.version);
      const config = await this.orgConfig.save(tx, organization, update);
      await bumpRulebook(tx, organization, { kind: 'config', ids: [config.orgId], editedBy: caller.userId });
      auditSettings(tx, 'pam.config', organization, { before, after: config });
      return config;
    });
  }
}
