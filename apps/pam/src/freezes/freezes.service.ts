import { changesOf, type ErrorCode, has, invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  type CreateFreezeDto,
  type FreezeLevel,
  FreezeLifted,
  type FreezeRecord,
  FreezeStarted,
  type ListFreezesQuery,
  MAX_FREEZES,
} from '@gatehouse/contracts-pam';
import { newId } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { type Place, PolicyTargetsRepository } from '../tenants/policy-targets.repository.ts';
import { requireSite } from '../tenants/require-place.ts';
import { ExpireFreezes, FREEZE_FIELDS, freezeFact, freezeSubject, freezeView } from './expire-freezes.ts';
import { type FreezeRow, FreezesRepository, type NewFreeze } from './freezes.repository.ts';

const MISSING = {
  device: 'device_not_found',
  site: 'site_not_found',
  organization: 'organization_not_found',
  partner: 'partner_not_found',
} as const satisfies Record<FreezeLevel, ErrorCode>;

/** Checks what a caller may freeze, and whose freezes a caller may lift. */
@Injectable()
export class FreezeTargets {
  constructor(
    private readonly policyTargets: PolicyTargetsRepository,
    private readonly organizations: OrganizationsRepository,
  ) {}

  /** @returns the target's place */
  async require(tx: Tx, caller: UserCaller, level: FreezeLevel, id: string): Promise<Place> {
    const place = await this.policyTargets.hold(tx, caller.scope, { level, id });
    if (!place) throw new ProblemError(MISSING[level], `There is no such ${level}.`);
    await this.requireReach(tx, caller, place);
    return place;
  }

  async requireReach(tx: Tx, caller: UserCaller, { orgId, siteId }: Omit<Place, 'partnerId'>): Promise<void> {
    if (orgId === null) {
      const isWide = caller.level !== 'organization' && caller.scope.orgs === 'all' && caller.scope.sites === 'all';
      if (!isWide) throw new ProblemError('scope_denied', 'This applies to all organisations of the partner.');
      return;
    }
    requireSite(caller, siteId);
    await this.organizations.resolveWritable(tx, caller, orgId);
  }
}

const HOUR_MS = 3_600_000;

const DEFAULT_MS = 24 * HOUR_MS;

const MAX_MS = 30 * 24 * HOUR_MS;

function endOf(caller: UserCaller, expiresAt: string | null | undefined): Date | null {
  const now = Date.now();
  if (expiresAt === undefined) return new Date(now + DEFAULT_MS);
  if (expiresAt === null) {
    if (!has(caller, 'devices:write'))
      throw new ProblemError('permission_denied', 'A freeze without an end requires the permission devices:write.');
    return null;
  }
  const end = new Date(expiresAt);
  if (end.getTime() <= now) throw invalid('expiresAt', 'must be in the future');
  if (end.getTime() > now + MAX_MS) throw invalid('expiresAt', 'must be within 30 days');
  return end;
}

@Injectable()
export class FreezesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly freezes: FreezesRepository,
    private readonly freezeTargets: FreezeTargets,
    private readonly expireFreezes: ExpireFreezes,
  ) {}

  async list(caller: UserCaller, { active, orgId }: ListFreezesQuery): Promise<FreezeRecord[]> {
    const filter = { orgId, ...(active && { active: active === 'true' }) };
    const rows = await this.work.read(caller, (reader) => this.freezes.list(reader, caller.scope, filter));
    return rows.map(freezeView);
  }

  /**
   * Freezes a device, a site, an organisation or a partner. The freeze is in force with its commit: it changes the
   * rulebook, so every decision under way is made again (PAM-152).
   */
  async create(caller: UserCaller, draft: CreateFreezeDto): Promise<FreezeRecord> {
    const { level, targetId, mode = 'lockdown', revokeOpen = true } = draft;
    await this.expireFreezes.run();
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const expiresAt = endOf(caller, draft.expiresAt);
      const place = await this.freezeTargets.require(tx, caller, level, targetId);
      await this.requireSpace(tx, place, draft);
      const reason = draft.reason.trim();
      const freeze = { id: newId(), level, targetId, mode, reason, expiresAt, revokeOpen };
      return freezeView(await this.insert(tx, caller, place, freeze));
    });
  }

  /** An organisation, a partner, and what is frozen already can always be frozen: no freeze prevents a stronger one. */
  private async requireSpace(tx: Tx, { orgId }: Place, { level, targetId }: CreateFreezeDto): Promise<void> {
    if (orgId === null || level === 'organization') return;
    if ((await this.freezes.countOthers(tx, orgId, targetId)) >= MAX_FREEZES)
      throw new ProblemError('conflict', `There are already ${MAX_FREEZES} freezes here; freeze the level above.`);
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
      details: {
        level,
        targetId,
        mode,
        reason,
        expiresAt: expiresAt?.toISOString() ?? null,
        revokeOpen,
        changes: changesOf(null, draft, FREEZE_FIELDS),
      },
    });
    return freeze;
  }

  /** Lifts a freeze. Windows that it ended stay ended (PAM-154). */
  lift(caller: UserCaller, id: string, reason: string): Promise<FreezeRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.requireLiftable(tx, caller, await this.freezes.lock(tx, caller.scope, id));
      const lifted = await this.freezes.lift(tx, caller, id, reason.trim());
      if (!lifted) throw new ProblemError('conflict', 'This freeze has already ended.');
      await bumpRulebook(tx, lifted, { kind: 'freeze', ids: [id], editedBy: caller.userId });
      tx.emit(FreezeLifted, freezeFact(lifted, caller.userId), { aggregateId: id });
      tx.audit({
        ...freezeSubject(lifted),
        action: 'pam.freeze.lift',
        details: { reason: reason.trim(), changes: changesOf(lifted, null, FREEZE_FIELDS) },
      });
      return freezeView(lifted);
    });
  }

  private async requireLiftable(tx: Tx, caller: UserCaller, freeze: FreezeRow | null): Promise<void> {
    if (!freeze) throw new ProblemError('freeze_not_found', 'There is no such freeze.');
    await this.freezeTargets.requireReach(tx, caller, freeze);
    if (freeze.createdBy !== caller.userId && !has(caller, 'devices:write'))
      throw new ProblemError('permission_denied', "Lifting another user's freeze requires devices:write.");
  }
}
