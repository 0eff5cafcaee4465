import { seesSite, type UserCaller } from '@gatehouse/contracts-core';
import type { LintResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { RulebookRepository } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { RuleLinter } from './rule-linter.ts';

@Injectable()
export class RuleLintService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly linter: RuleLinter,
    private readonly rulebooks: RulebookRepository,
  ) {}

  async lintRules(caller: UserCaller, named: string | undefined): Promise<LintResponse> {
    const { source, version } = await this.work.read(caller, async (reader) => {
      const organization = await this.organizations.resolve(reader, caller, named);
      return {
        version: (await this.rulebooks.version(reader, organization.orgId)) ?? 0,
        source: await this.linter.sourceOf(reader, organization),
      };
    });
    const isShown = new Set(
      source.rules.filter(({ siteId }) => siteId === null || seesSite(caller.scope, siteId)).map(({ id }) => id),
    );
    const findings = (await this.linter.inTurns(source)).filter(({ ruleId }) => isShown.has(ruleId));
    return { success: true, findings, checkedAt: source.at.toISOString(), rulebookVersion: version };
  }
}
