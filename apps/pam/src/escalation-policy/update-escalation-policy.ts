import { invalid, requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { EscalationPolicyRecord, EscalationStepDto, UpdateEscalationPolicyDto } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditSettings } from '../organizations/org-settings.ts';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { EscalationPolicyRepository, type EscalationPolicyValues } from './escalation-policy.repository.ts';

/**
 * Replaces what happens while requests of an organisation wait, and who hears how they end (PAM-220). The policy
 * decides nothing, so the version of the rulebook stays.
 */
@Injectable()
export class UpdateEscalationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly escalationPolicy: EscalationPolicyRepository,
  ) {}

  /**
   * @throws ProblemError validation_failed, org_required, organization_not_found, organization_frozen,
   * site_access_denied, version_conflict
   */
  execute(caller: UserCaller, update: UpdateEscalationPolicyDto): Promise<EscalationPolicyRecord> {
    const values = valuesOf(update);
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.lockSettings(tx, caller, update.orgId);
      requireVersion(caller, (await this.escalationPolicy.find(tx, organization.orgId)).version);
      const policy = await this.escalationPolicy.save(tx, organization, values);
      auditSettings(tx, 'pam.escalation_policy', organization, policy);
      return policy;
    });
  }
}

/** @throws ProblemError validation_failed */
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
