import { changesOf, type IdempotencyKey, invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CopyRuleDto, RuleCopyRecord } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { hasExpired } from '@gatehouse/pam-domain';
import { bumpRulebook, requireRulebookCapacity } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { isWhereNamed, type NamedThing, requireSite } from '../tenants/require-place.ts';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { RuleLinter } from './rule-linter.ts';
import { type OwnRuleRow, RULE_FIELDS, type RuleRow, RulesRepository } from './rules.repository.ts';
import { auditSubject } from './writable-rules.ts';

const FORBIDDEN = 403;

/** Each organisation is a change of its own, so each needs a key of its own. */
const keyOf = (idempotency: IdempotencyKey | undefined, orgId: string): IdempotencyKey | undefined =>
  idempotency && { ...idempotency, key: `${idempotency.key} ${orgId}` };

/** Sites and signer groups belong to the rule's organisation; a copy without them would match more than the rule. */
function requireCopyable(rule: OwnRuleRow, target: string): void {
  const { orgId, siteId, matchSignerGroupId } = rule;
  if (orgId === target) throw new ProblemError('conflict', 'The rule already belongs to this organisation.');
  if (hasExpired(rule, new Date())) throw invalid('expiresAt', 'must be in the future');
  if (siteId !== null) throw new ProblemError('site_not_in_org', 'The site does not belong to the organisation.');
  if (matchSignerGroupId !== null)
    throw new ProblemError('signer_group_not_in_org', 'The signer group does not belong to the organisation.');
}

@Injectable()
export class CopyRule {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
    private readonly rules: RulesRepository,
    private readonly linter: RuleLinter,
  ) {}

  async copy(caller: UserCaller, named: NamedThing, { orgIds }: CopyRuleDto): Promise<RuleCopyRecord[]> {
    if (new Set(orgIds).size < orgIds.length) throw invalid('orgIds', 'must name each organisation once');
    const rule = await this.work.read(caller, (reader) => this.rules.find(reader, caller.scope, named.id));
    if (!rule || !isWhereNamed(named, rule)) return this.copied(caller, orgIds);
    const copies: RuleCopyRecord[] = [];
    for (const orgId of orgIds) copies.push(await this.copyTo(caller, rule, orgId));
    return copies;
  }

  /** The answer to a repeated request whose rule has been deleted since. */
  private async copied(caller: UserCaller, orgIds: readonly string[]): Promise<RuleCopyRecord[]> {
    const copies: RuleCopyRecord[] = [];
    for (const orgId of orgIds) {
      const known = await this.work.recalled<RuleCopyRecord>(caller, keyOf(caller.idempotency, orgId));
      copies.push(known?.result ?? { orgId, ruleId: null, code: 'rule_not_found' });
    }
    if (copies.some(({ ruleId }) => ruleId !== null)) return copies;
    throw new ProblemError('rule_not_found', 'There is no such rule.');
  }

  private async copyTo(caller: UserCaller, rule: OwnRuleRow, orgId: string): Promise<RuleCopyRecord> {
    try {
      return await this.work.once(caller, keyOf(caller.idempotency, orgId), (tx) =>
        this.insert(tx, caller, rule, orgId),
      );
    } catch (error) {
      if (!(error instanceof ProblemError) || error.code === 'idempotency_key_reused' || error.status >= 500)
        throw error;
      if (error.status === FORBIDDEN) await this.recordDenied(caller, rule, { orgId, code: error.code });
      return { orgId, ruleId: null, code: error.code };
    }
  }

  /** The answer as a whole is a success, so that the refused copy leaves its audit entry here. */
  private recordDenied(
    caller: UserCaller,
    { id, name, partnerId }: RuleRow,
    { orgId, code }: { readonly orgId: string; readonly code: string },
  ): Promise<void> {
    return this.work.run(caller, async (tx) =>
      tx.audit({
        action: 'pam.rule.create',
        resource: { type: 'pam.rule', id: null, name },
        partnerId,
        orgId,
        result: 'denied',
        details: { code, copiedFrom: id },
      }),
    );
  }

  private async insert(tx: Tx, caller: UserCaller, rule: OwnRuleRow, orgId: string): Promise<RuleCopyRecord> {
    const organization = await this.organizations.resolveWritable(tx, caller, orgId);
    requireSite(caller, null);
    requireCopyable(rule, orgId);
    const copy = await this.rules.insert(tx, organization, { id: newId(), createdBy: caller.userId, values: rule });
    const alsoBy = await this.rules.editorsOf(tx, rule);
    await bumpRulebook(tx, organization, { kind: 'rule', ids: [copy.id], editedBy: caller.userId, alsoBy });
    await requireRulebookCapacity(tx, 'pam_rules', organization);
    await this.linter.findingsAbout(tx, copy);
    tx.audit({
      ...auditSubject(copy),
      action: 'pam.rule.create',
      details: {
        verdict: copy.verdict,
        priority: copy.priority,
        enabled: copy.enabled,
        copiedFrom: rule.id,
        sourceAuthor: { id: rule.createdBy, name: rule.createdByName },
        changes: changesOf(null, copy, RULE_FIELDS),
      },
    });
    return { orgId, ruleId: copy.id, code: null };
  }
}
