import { requireVersion, type UserCaller } from '@gatehouse/contracts-core';
import type { JustificationPolicyRecord, TicketTermsDto, UpdateJustificationPolicyDto } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { type JustificationPolicy, NO_JUSTIFICATION, presentOrNull } from '@gatehouse/pam-domain';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { auditSettings } from '../tenants/org-settings.ts';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { JustificationPolicyRepository } from './justification-policy.repository.ts';

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

@Injectable()
export class JustificationPolicyService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly justificationPolicy: JustificationPolicyRepository,
  ) {}

  get(caller: UserCaller, named: string | undefined): Promise<JustificationPolicyRecord> {
    return this.work.read(caller, async (reader) => {
      const { orgId } = await this.organizations.resolve(reader, caller, named);
      return this.justificationPolicy.find(reader, orgId);
    });
  }

  /** Replaces what an organisation asks for as a justification (PAM-210). Pending requests keep their terms. */
  update(caller: UserCaller, update: UpdateJustificationPolicyDto): Promise<JustificationPolicyRecord> {
    const values = valuesOf(update);
    return this.work.run(caller, async (tx) => {
      const organization = await this.organizations.lockSettings(tx, caller, update.orgId);
      const { orgId } = organization;
      const before = await this.justificationPolicy.find(tx, orgId);
      requireVersion(caller, before.version);
      const policy = await this.justificationPolicy.save(tx, organization, values);
      await bumpRulebook(tx, organization, { kind: 'justification_policy', ids: [orgId], editedBy: caller.userId });
      auditSettings(tx, 'pam.justification_policy', organization, { before, after: policy });
      return policy;
    });
  }
}
