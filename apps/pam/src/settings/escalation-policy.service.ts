import { invalid, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { EscalationPolicyRecord, EscalationStepDto, UpdateEscalationPolicyDto } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditSettings } from '../tenants/org-settings.ts';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { EscalationPolicyRepository, type EscalationPolicyValues } from './escalation-policy.repository.ts';

function requireAscending(steps: readonly EscalationStepDto[]): void {
  const at = steps.findIndex(({ step, afterMinutes }, index) => {
    const before = steps[index - 1];
    return before !== undefined && (step <= before.step || afterMinutes <= before.afterMinutes);
  });
  if (at !== -1) throw invalid(`steps.${at}`, 'must come after the step before it, by its number and its time');
}

function valuesOf({
  steps = [],
  flowTypes,
  tellDevice = false,
  tellRequester = true,
}: UpdateEscalationPolicyDto): EscalationPolicyValues {
  requireAscending(steps);
  return {
    steps: steps.map(({ askAllApprovers = false, ...step }) => ({ ...step, askAllApprovers })),
    flowTypes: flowTypes?.length ? [...new Set(flowTypes)] : null,
    tellDevice,
    tellRequester,
  };
}

@Injectable()
export class EscalationPolicyService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly escalationPolicy: EscalationPolicyRepository,
  ) {}

  get(caller: UserCaller, named: string | undefined): Promise<EscalationPolicyRecord> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return this.escalationPolicy.find(reader, orgId);
    });
  }

  /**
   * Replaces what happens while requests of an organisation wait, and who hears how they end (PAM-220). The policy
   * decides nothing, so the version of the rulebook stays.
   */
  update(caller: UserCaller, update: UpdateEscalationPolicyDto): Promise<EscalationPolicyRecord> {
    const values = valuesOf(update);
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.lockSettings(tx, caller, update.orgId);
      const before = await this.escalationPolicy.find(tx, organization.orgId);
      requireVersion(caller, before.version);
      const policy = await this.escalationPolicy.save(tx, organization, values);
      auditSettings(tx, 'pam.escalation_policy', organization, { before, after: policy });
      return policy;
    });
  }
}
