import { type AuditAction, ProblemError, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { PartnerResponse, UpdateOwnPartnerDto, UpdatePartnerDto } from '@gatehouse/contracts-tenancy';
import { onConstraint, scoped, type Tx, UnitOfWork } from '@gatehouse/database';
import { mergeSettings } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { publishPartner } from '../rows/publish-state.ts';
import { assignments, returned } from '../rows/assignments.ts';
import { partnerSlugTaken } from './create-partner.ts';
import { ownPartnerOf, partnerNotFound } from './get-partner.ts';
import { PARTNER_COLUMNS, type PartnerRow, partnerView } from './partner.view.ts';
import { checkedSettings } from './partner-settings.ts';

/**
 * Every status but `active` locks the partner's users out.
 * @throws ProblemError mfa_required
 */
function requireSecondFactor({ mfa }: UserCaller, { status }: UpdatePartnerDto): void {
  if (status !== undefined && status !== 'active' && !mfa)
    throw new ProblemError('mfa_required', 'Confirm your second factor to suspend a partner.');
}

/** Updates any partner for an administrator, or the caller's own partner, where fewer fields are allowed. */
@Injectable()
export class UpdatePartner {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError mfa_required, no_updates_provided, partner_not_found, slug_taken */
  execute(caller: UserCaller, id: string, patch: UpdatePartnerDto): Promise<PartnerResponse> {
    requireSecondFactor(caller, patch);
    return this.update(caller, id, patch, 'partner.update');
  }

  /**
   * The caller must reach every organisation of the partner, because the record concerns all of them.
   * @throws ProblemError partner_context_required, org_access_denied, no_updates_provided, partner_not_found
   */
  own(caller: UserCaller, patch: UpdateOwnPartnerDto): Promise<PartnerResponse> {
    const partnerId = ownPartnerOf(caller);
    if (caller.scope.orgs !== 'all')
      throw new ProblemError(
        'org_access_denied',
        'Your access is limited to chosen organizations; editing the partner needs access to all.',
      );
    return this.update(caller, partnerId, patch, 'partner.settings.update');
  }

  private update(
    caller: UserCaller,
    id: string,
    patch: UpdatePartnerDto,
    action: AuditAction,
  ): Promise<PartnerResponse> {
    const updates = requireUpdates({ ...patch, settings: checkedSettings(patch.settings) });
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const current = await this.lock(tx, caller, id);
      const changes = updates.settings
        ? { ...updates, settings: mergeSettings(current.settings, updates.settings) }
        : updates;
      const conditions = scoped(caller.scope, { partner: 'id' }).add('id = ?', id);
      const set = assignments(changes, conditions);
      const row = await tx
        .one<PartnerRow>(
          `UPDATE partners SET ${set} ${conditions.where} RETURNING ${PARTNER_COLUMNS}, version`,
          conditions.parameters,
        )
        .catch(onConstraint(partnerSlugTaken));
      const partner = returned(row);
      tx.audit({
        action,
        partnerId: id,
        resource: { type: 'partner', id, name: partner.name },
        details: { changedFields: Object.keys(updates) },
      });
      publishPartner(tx, partner);
      return partnerView(partner);
    });
  }

  private async lock(tx: Tx, caller: UserCaller, id: string): Promise<{ settings: Record<string, unknown> }> {
    const { where, parameters } = scoped(caller.scope, { partner: 'id' }).add('id = ?', id).raw('deleted_at IS NULL');
    const current = await tx.one<{ settings: Record<string, unknown> }>(
      `SELECT settings FROM partners ${where} FOR UPDATE`,
      parameters,
    );
    if (!current) throw partnerNotFound();
    return current;
  }
}
