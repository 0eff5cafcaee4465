import { RulebookChanged } from '@gatehouse/contracts-pam';
import type { Tx } from '@gatehouse/database';
import { incrementVersionOf, incrementVersionsOfPartner, type RulebookOwner } from './rulebook-versions.repository.ts';

/**
 * Increments the rulebook version. Call it in the transaction of every change of a rule, signer group, configuration or
 * software policy; reports decided under the previous version are then decided again (architecture, "hot path").
 */
export async function bumpRulebook(tx: Tx, { partnerId, orgId }: RulebookOwner): Promise<void> {
  const changed =
    orgId === null ? await incrementVersionsOfPartner(tx, partnerId) : await incrementVersionOf(tx, orgId, partnerId);
  for (const { orgId: id, version } of changed)
    tx.emit(RulebookChanged, { orgId: id, partnerId, version }, { aggregateId: id });
}
