import { type AuditEntry, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateReplayDto } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type Organization, OrganizationsRepository } from '../organizations/organizations.repository.ts';
import { Candidates, requireSeen } from '../rule-candidates/candidates.ts';
import { ruleChangesOf } from '../rule-candidates/rule-changes.ts';
import { type NewReplay, ReplaysRepository } from './replays.repository.ts';

/** Queues a replay of past requests under a changed rule set (PAM-240). Nothing else changes. */
@Injectable()
export class StartReplay {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly candidates: Candidates,
    private readonly replays: ReplaysRepository,
  ) {}

  /**
   * @returns the id of the job
   * @throws ProblemError org_required, organization_not_found, organization_frozen, job_running, and those of the rules
   */
  execute(caller: UserCaller, draft: CreateReplayDto): Promise<string> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organization = await this.organizations.resolveWritable(tx, caller, draft.orgId);
      const changes = ruleChangesOf(draft.changes, organization.orgId);
      const defaultUnmatchedVerdict = draft.defaultUnmatchedVerdict ?? null;
      const plan = { changes, defaultUnmatchedVerdict, authors: [] };
      const { version, standing } = await this.candidates.hold(tx, organization, plan);
      requireSeen(caller, plan, standing);
      const { sites } = caller.scope;
      const replay = {
        changes,
        defaultUnmatchedVerdict,
        id: newId(),
        name: draft.name ?? null,
        sites: sites === 'all' ? null : [...sites],
        flowType: draft.flowType ?? null,
        windowDays: draft.windowDays,
        rulebookVersion: version,
        createdBy: caller.userId,
      };
      if (await this.replays.insert(tx, organization, replay)) {
        tx.audit(startOf(organization, replay));
        return replay.id;
      }
      const jobId = await this.replays.underWay(tx, organization);
      throw new ProblemError('job_running', 'A replay of this organisation is under way.', { jobId });
    });
  }
}

const startOf = (
  { orgId, partnerId }: Organization,
  { id, name, changes, windowDays, flowType, sites, defaultUnmatchedVerdict, rulebookVersion }: NewReplay,
): AuditEntry => ({
  action: 'pam.replay.start',
  resource: { type: 'pam.ruleset', id, name },
  orgId,
  partnerId,
  details: {
    rulebookVersion,
    windowDays,
    changes: changes.length,
    ...(flowType && { flowType }),
    ...(sites && { sites }),
    ...(defaultUnmatchedVerdict && { defaultUnmatchedVerdict }),
  },
});
