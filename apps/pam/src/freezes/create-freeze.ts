import { has, invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { type CreateFreezeDto, type FreezeRecord, FreezeStarted, MAX_FREEZES } from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import type { Place } from '../policy-targets/policy-targets.repository.ts';
import { ExpireFreezes } from './expire-freezes.ts';
import { FreezeTargets } from './freeze-targets.ts';
import { freezeFact, freezeSubject, freezeView } from './freeze.view.ts';
import { type FreezeRow, FreezesRepository, type NewFreeze } from './freezes.repository.ts';

const HOUR_MS = 3_600_000;
const DEFAULT_MS = 24 * HOUR_MS;
const LONGEST_MS = 30 * 24 * HOUR_MS;

/**
 * Freezes a device, a site, an organisation or a partner. The freeze is in force with its commit: it changes the
 * rulebook, so every decision under way is made again (PAM-152).
 */
@Injectable()
export class CreateFreeze {
  constructor(
    private readonly work: UnitOfWork,
    private readonly freezes: FreezesRepository,
    private readonly freezeTargets: FreezeTargets,
    private readonly expireFreezes: ExpireFreezes,
  ) {}

  /** @throws ProblemError validation_failed, permission_denied, conflict, and as {@link FreezeTargets} */
  async execute(caller: UserCaller, draft: CreateFreezeDto): Promise<FreezeRecord> {
    const { level, targetId, mode = 'lockdown', revokeOpen = true } = draft;
    const expiresAt = endOf(caller, draft.expiresAt);
    await this.expireFreezes.run();
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const place = await this.freezeTargets.require(tx, caller, level, targetId);
      await this.requireSpace(tx, place, draft);
      const reason = draft.reason.trim();
      const freeze = { id: newId(), level, targetId, mode, reason, expiresAt, revokeOpen };
      return freezeView(await this.insert(tx, caller, place, freeze));
    });
  }

  /**
   * An organisation, a partner, and what is frozen already can always be frozen: no freeze prevents a stronger one.
   * @throws ProblemError conflict
   */
  private async requireSpace(tx: Tx, { orgId }: Place, { level, targetId }: CreateFreezeDto): Promise<void> {
    if (orgId === null || level === 'organization') return;
    if ((await this.freezes.countOthers(tx, orgId, targetId)) >= MAX_FREEZES)
      throw new ProblemError('conflict', `There are already ${MAX_FREEZES} freezes here; freeze what is above them.`);
  }

  private async insert(tx: Tx, caller: UserCaller, place: Place, draft: NewFreeze): Promise<FreezeRow> {
    await this.freezes.insert(tx, caller, place, draft);
    await bumpRulebook(tx, place, { kind: 'freeze', ids: [draft.id], editedBy: caller.userId });
    const freeze = await this.freezes.begin(tx, draft.id);
    tx.emit(FreezeStarted, freezeFact(freeze, caller.userId), { aggregateId: freeze.id });
    const { level, targetId, mode, reason, expiresAt, revokeOpen } = draft;
    tx.audit({
      ...freezeSubject(freeze),
      action: 'pam.freeze.create',
      details: { level, targetId, mode, reason, expiresAt: expiresAt?.toISOString() ?? null, revokeOpen },
    });
    return freeze;
  }
}

/** @throws ProblemError validation_failed, permission_denied */
function endOf(caller: UserCaller, expiresAt: string | null | undefined): Date | null {
  const now = Date.now();
  if (expiresAt === undefined) return new Date(now + DEFAULT_MS);
  if (expiresAt === null) {
    if (!has(caller, 'devices:write'))
      throw new ProblemError('permission_denied', 'A freeze without an end needs the permission devices:write.');
    return null;
  }
  const end = new Date(expiresAt);
  if (end.getTime() <= now) throw invalid('expiresAt', 'must be in the future');
  if (end.getTime() > now + LONGEST_MS) throw invalid('expiresAt', 'must be within 30 days');
  return end;
}
