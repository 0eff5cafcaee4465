import { asService, type AuditSubject, changesOf } from '@gatehouse/contracts-core';
import { type FreezeFact, FreezeLifted, type FreezeRecord } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { type FreezeRow, FreezesRepository } from './freezes.repository.ts';

export const freezeView = (row: FreezeRow): FreezeRecord => ({
  id: row.id,
  level: row.level,
  targetId: row.targetId,
  targetName: row.targetName,
  orgId: row.orgId,
  mode: row.mode,
  reason: row.reason,
  createdBy: row.createdBy,
  createdByName: row.createdByName,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  liftedAt: row.liftedBy === null ? null : (row.endedAt?.toISOString() ?? null),
  liftedBy: row.liftedBy,
  liftedByName: row.liftedByName,
  liftReason: row.liftReason,
  progress: { revoked: row.revoked, withdrawn: row.withdrawn, done: row.done },
});

/** @param actorId the user who changed it; null when it expired */
export const freezeFact = (row: FreezeRow, actorId: string | null): FreezeFact => ({
  freezeId: row.id,
  partnerId: row.partnerId,
  orgId: row.orgId,
  siteId: row.siteId,
  level: row.level,
  targetId: row.targetId,
  mode: row.mode,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  actorId,
});

/** What a freeze stops, how and until when. */
export const FREEZE_FIELDS = ['level', 'targetId', 'mode', 'expiresAt'];

export const freezeSubject = ({ id, targetName, partnerId, orgId, siteId }: FreezeRow): AuditSubject => ({
  resource: { type: 'pam.freeze', id, name: targetName },
  partnerId,
  orgId,
  siteId,
});

const EVERY_MS = 1_000;
const SELF = asService('pam');

/** Ends the freezes whose time is over (PAM-155). */
@Injectable()
export class ExpireFreezes {
  constructor(
    private readonly work: UnitOfWork,
    private readonly freezes: FreezesRepository,
  ) {}

  @Every(EVERY_MS, 'expire freezes')
  async run(): Promise<void> {
    // One freeze for each transaction, because each locks the rulebooks of its owner.
    while (await this.work.background(SELF, (tx) => this.expireOne(tx)));
  }

  private async expireOne(tx: Tx): Promise<boolean> {
    const expired = await this.freezes.expireOne(tx);
    if (!expired) return false;
    await bumpRulebook(tx, expired, { kind: 'freeze', ids: [expired.id], editedBy: null });
    tx.emit(FreezeLifted, freezeFact(expired, null), { aggregateId: expired.id });
    tx.audit({
      ...freezeSubject(expired),
      action: 'pam.freeze.expire',
      details: { changes: changesOf(expired, null, FREEZE_FIELDS) },
    });
    return true;
  }
}
