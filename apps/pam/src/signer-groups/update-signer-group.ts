import { changesOf, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { SignerGroupRecord, UpdateSignerGroupDto } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { foldCase } from '@gatehouse/pam-domain';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { NamedThing } from '../organizations/one-organization.ts';
import { RuleLinter } from '../rule-lint/rule-linter.ts';
import { signerGroupView } from './signer-group.view.ts';
import { normalisedGroup } from './normalised-group.ts';
import { type SignerGroupRow, SignerGroupsRepository } from './signer-groups.repository.ts';
import { auditSubject, WritableSignerGroups } from './writable-signer-groups.ts';

/** More signers let more through by every rule that names the group, as if these rules were changed themselves. */
function isWidened({ signers: before }: SignerGroupRow, { signers: after }: SignerGroupRow): boolean {
  const known = new Set(before.map(foldCase));
  return after.some((signer) => !known.has(foldCase(signer)));
}

@Injectable()
export class UpdateSignerGroup {
  constructor(
    private readonly work: UnitOfWork,
    private readonly signerGroups: SignerGroupsRepository,
    private readonly writableSignerGroups: WritableSignerGroups,
    private readonly linter: RuleLinter,
  ) {}

  /**
   * @throws ProblemError no_updates_provided, signer_group_not_found, partner_access_denied, organization_frozen,
   * site_access_denied, pam_rule_risky
   */
  execute(caller: UserCaller, named: NamedThing, patch: UpdateSignerGroupDto): Promise<SignerGroupRecord> {
    const changes = requireUpdates(patch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.writableSignerGroups.lock(tx, caller, named);
      const before = await this.linter.refusable(tx, known);
      const group = await this.signerGroups.update(tx, named.id, normalisedGroup({ ...known, ...changes }));
      await bumpRulebook(tx, group, { kind: 'signer_group', ids: [group.id], editedBy: caller.userId });
      const changed = isWidened(known, group) ? await this.signerGroups.rulesWith(tx, group) : [];
      await this.linter.requireNoNewRisks(tx, group, { before, changed });
      tx.audit({
        ...auditSubject(group),
        action: 'pam.signer_group.update',
        details: {
          changedFields: Object.keys(changes),
          signers: group.signers.length,
          changes: changesOf(known, group, Object.keys(changes)),
        },
      });
      return signerGroupView(group);
    });
  }
}
