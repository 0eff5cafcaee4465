import type { UserCaller } from '@gatehouse/contracts-core';
import type { RuleUsageQuery, RuleUsageResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { RuleUsageRepository } from './rule-usage.repository.ts';

@Injectable()
export class RuleUsageService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly ruleUsage: RuleUsageRepository,
  ) {}

  get(caller: UserCaller, { orgId: named, windowDays }: RuleUsageQuery): Promise<RuleUsageResponse> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      const rows = await this.ruleUsage.usage(reader, caller.scope, orgId, windowDays);
      const usage = rows.map((row) => ({ ...row, lastMatchedAt: row.lastMatchedAt?.toISOString() ?? null }));
      return { success: true, windowDays, usage };
    });
  }
}
