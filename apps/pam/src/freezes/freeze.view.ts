import type { AuditSubject } from '@gatehouse/contracts-core';
import type { FreezeFact, FreezeRecord } from '@gatehouse/contracts-pam';
import type { FreezeRow } from './freezes.repository.ts';

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

export const freezeSubject = ({ id, targetName, partnerId, orgId, siteId }: FreezeRow): AuditSubject => ({
  resource: { type: 'pam.freeze', id, name: targetName },
  partnerId,
  orgId,
  siteId,
});
