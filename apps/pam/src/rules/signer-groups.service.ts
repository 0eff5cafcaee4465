import {
  changeDetails,
  changesOf,
  pageNamedBy,
  ProblemError,
  requireUpdates,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type {
  CreateSignerGroupDto,
  SignerGroupRecord,
  SignerGroupsQuery,
  SignerGroupsResponse,
  UpdateSignerGroupDto,
} from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { distinctSigners, foldCase } from '@gatehouse/pam-domain';
import { bumpRulebook, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { isEmptyAtOnce, type NamedThing, requireSite } from '../tenants/require-place.ts';
import { Owners } from '../tenants/owners.ts';
import { paginationOf } from '../pages.repository.ts';
import { RuleLinter } from './rule-linter.ts';
import { type SignerGroupRow, SignerGroupsRepository, type SignerGroupValues } from './signer-groups.repository.ts';
import { auditSubject, WritableSignerGroups } from './writable-signer-groups.ts';

const signerGroupView = ({ partnerId: _, ...row }: SignerGroupRow): SignerGroupRecord => ({
  ...row,
  ownerScope: row.orgId === null ? 'partner' : 'organization',
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

const GROUP_FIELDS = ['name', 'description', 'signers'];

/** A signer group as it is stored: trimmed, each signer once (PAM-34). */
const normalisedGroup = ({ name, description, signers }: SignerGroupValues): SignerGroupValues => ({
  name: name.trim(),
  description,
  signers: distinctSigners(signers),
});

/** More signers let more through by every rule that names the group, as if these rules were changed themselves. */
function isWidened({ signers: before }: SignerGroupRow, { signers: after }: SignerGroupRow): boolean {
  const known = new Set(before.map(foldCase));
  return after.some((signer) => !known.has(foldCase(signer)));
}

@Injectable()
export class SignerGroupsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly owners: Owners,
    private readonly signerGroups: SignerGroupsRepository,
    private readonly writableSignerGroups: WritableSignerGroups,
    private readonly linter: RuleLinter,
  ) {}

  async list(caller: UserCaller, query: SignerGroupsQuery): Promise<SignerGroupsResponse> {
    const { scope, orgId, partnerId, ...paging } = query;
    const page = pageNamedBy(paging);
    if (isEmptyAtOnce(caller, query)) return { success: true, signerGroups: [], ...paginationOf(page, 0) };
    const named = { ...(scope && { ownerScope: scope }), ...(orgId && { orgId }), ...(partnerId && { partnerId }) };
    return this.work.read(caller, async (reader) => {
      const owner = await this.owners.requireReadable(reader, caller, named);
      const { rows, total } = await this.signerGroups.list(reader, owner, page);
      return { success: true, signerGroups: rows.map(signerGroupView), ...paginationOf(page, total) };
    });
  }

  create(
    caller: UserCaller,
    { name, description = null, signers = [], ...named }: CreateSignerGroupDto,
  ): Promise<SignerGroupRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const owner = await this.owners.requireWritable(tx, caller, named);
      if (owner.orgId !== null) requireSite(caller, null);
      const values = normalisedGroup({ name, description, signers });
      const group = await this.signerGroups.insert(tx, owner, { id: newId(), createdBy: caller.userId }, values);
      await bumpRulebook(tx, owner, { kind: 'signer_group', ids: [group.id], editedBy: caller.userId });
      await requireRulebookCapacity(tx, 'signer_groups', owner);
      tx.audit({
        ...auditSubject(group),
        action: 'pam.signer_group.create',
        details: { signers: group.signers.length, changes: changesOf(null, group, GROUP_FIELDS) },
      });
      return signerGroupView(group);
    });
  }

  update(caller: UserCaller, named: NamedThing, patch: UpdateSignerGroupDto): Promise<SignerGroupRecord> {
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
        details: { signers: group.signers.length, ...changeDetails(known, group, changes) },
      });
      return signerGroupView(group);
    });
  }

  delete(caller: UserCaller, named: NamedThing): Promise<void> {
    return this.work.run(caller, async (tx) => {
      const group = await this.writableSignerGroups.lock(tx, caller, named);
      // The lock on the group blocks new references to it by concurrent transactions.
      const references = await this.signerGroups.countReferences(tx, group);
      if (references > 0)
        throw new ProblemError(
          'signer_group_in_use',
          `${references} ${references === 1 ? 'rule refers' : 'rules refer'} to this signer group.`,
          { references },
        );
      await this.signerGroups.delete(tx, named.id);
      await bumpRulebook(tx, group, { kind: 'signer_group', ids: [group.id], editedBy: caller.userId });
      tx.audit({
        ...auditSubject(group),
        action: 'pam.signer_group.delete',
        details: { changes: changesOf(group, null, GROUP_FIELDS) },
      });
    });
  }
}
