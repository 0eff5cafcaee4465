import { requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { JustificationPolicyRecord, TicketTermsDto, UpdateJustificationPolicyDto } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { type JustificationPolicy, NO_JUSTIFICATION, presentOrNull } from '@gatehouse/pam-domain';
import { bumpRulebook, lockRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { requireSite } from '../organizations/require-site.ts';
import { JustificationPolicyRepository } from './justification-policy.repository.ts';
import { justificationPolicyView } from './justification-policy.view.ts';

/** Of a policy that was never set. */
const NO_VERSION = 0;

/** Replaces what an organisation asks for as a justification (PAM-210). Pending requests keep their terms. */
@Injectable()
export class UpdateJustificationPolicy {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly justificationPolicy: JustificationPolicyRepository,
  ) {}

  /**
   * @throws ProblemError org_required, organization_not_found, organization_frozen, site_access_denied,
   * version_conflict
   */
  execute(caller: UserCaller, update: UpdateJustificationPolicyDto): Promise<JustificationPolicyRecord> {
    const values = valuesOf(update);
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, update.orgId);
      const { orgId, partnerId } = organization;
      requireSite(caller, null);
      // There may be no row to lock.
      await lockRulebook(tx, organization);
      const stored = await this.justificationPolicy.find(tx, orgId);
      requireVersion(caller, stored?.version ?? NO_VERSION);
      const row = await this.justificationPolicy.save(tx, organization, values);
      await bumpRulebook(tx, organization, { kind: 'justification_policy', ids: [orgId], editedBy: caller.userId });
      const policy = justificationPolicyView(orgId, row);
      tx.audit({
        action: 'pam.justification_policy.update',
        resource: { type: 'pam.justification_policy', id: orgId },
        partnerId,
        orgId,
        details: { ...policy },
      });
      return policy;
    });
  }
}

const { reason: NO_REASON, ticket: NO_TICKET, prompts: NO_PROMPTS } = NO_JUSTIFICATION;

const ticketTerms = ({ mode, masks, hint }: TicketTermsDto): JustificationPolicy['ticket'] => ({
  mode: mode ?? NO_TICKET.mode,
  masks: masks?.map((mask) => mask.trim()) ?? NO_TICKET.masks,
  hint: presentOrNull(hint),
});

const valuesOf = ({ reason = {}, ticket = {}, prompts = {} }: UpdateJustificationPolicyDto): JustificationPolicy => ({
  reason: { mode: reason.mode ?? NO_REASON.mode, minLetters: reason.minLetters ?? NO_REASON.minLetters },
  ticket: ticketTerms(ticket),
  prompts: { hold: prompts.hold ?? NO_PROMPTS.hold },
});
