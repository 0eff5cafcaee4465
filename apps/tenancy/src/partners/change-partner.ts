import { changesOf, requireUpdates, type UserCaller } from '@gatehouse/contracts-core';
import type { PartnerResponse, UpdatePartnerDto } from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { mergeSettings } from '@gatehouse/tenancy-domain';
import { publishPartner } from '../rows/publish-state.ts';
import { partnerView } from './partner.view.ts';
import { checkedSettings } from './partner-settings.ts';
import type { PartnersRepository } from './partners.repository.ts';

interface PartnerChange {
  readonly id: string;
  readonly patch: UpdatePartnerDto;
  readonly action: 'partner.update' | 'partner.settings.update';
}

/**
 * Checks the patch at once and returns the step that stores it: named settings change, the others stay.
 * @throws ProblemError no_updates_provided, partner_not_found, slug_taken
 */
export function changePartner(
  partnersRepository: PartnersRepository,
  { id, patch, action }: PartnerChange,
): (tx: Tx, caller: UserCaller) => Promise<PartnerResponse> {
  const updates = requireUpdates({ ...patch, settings: checkedSettings(patch.settings) });
  return async (tx, caller) => {
    const current = await partnersRepository.lock(tx, caller, id);
    const { settings, ...columns } = updates;
    const changes = settings ? { ...columns, settings: mergeSettings(current.settings, settings) } : columns;
    const partner = await partnersRepository.update(tx, caller, id, changes);
    tx.audit({
      action,
      partnerId: id,
      resource: { type: 'partner', id, name: partner.name },
      details: { changedFields: Object.keys(updates), changes: changesOf(current, partner, Object.keys(updates)) },
    });
    publishPartner(tx, partner);
    return partnerView(partner);
  };
}
