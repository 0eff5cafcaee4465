import { has, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { FreezeLifted, type FreezeRecord } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { FreezeTargets } from './freeze-targets.ts';
import { freezeFact, freezeSubject, freezeView } from './freeze.view.ts';
import { type FreezeRow, FreezesRepository } from './freezes.repository.ts';

/** Lifts a freeze. Windows that it ended stay ended (PAM-154). */
@Injectable()
export class LiftFreeze {
  constructor(
    private readonly work: UnitOfWork,
    private readonly freezes: FreezesRepository,
    private readonly freezeTargets: FreezeTargets,
  ) {}

  /**
   * @throws ProblemError freeze_not_found, scope_denied, site_access_denied, permission_denied, organization_frozen,
   * conflict
   */
  execute(caller: UserCaller, id: string, reason: string): Promise<FreezeRecord> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      await this.requireLiftable(tx, caller, await this.freezes.lock(tx, caller.scope, id));
      const lifted = await this.freezes.lift(tx, caller, id, reason.trim());
      if (!lifted) throw new ProblemError('conflict', 'This freeze is over already.');
      await bumpRulebook(tx, lifted, { kind: 'freeze', ids: [id], editedBy: caller.userId });
      tx.emit(FreezeLifted, freezeFact(lifted, caller.userId), { aggregateId: id });
      tx.audit({ ...freezeSubject(lifted), action: 'pam.freeze.lift', details: { reason: reason.trim() } });
      return freezeView(lifted);
    });
  }

  private async requireLiftable(tx: Tx, caller: UserCaller, freeze: FreezeRow | null): Promise<void> {
    if (!freeze) throw new ProblemError('freeze_not_found', 'There is no such freeze.');
    await this.freezeTargets.requireReach(tx, caller, freeze);
    if (freeze.createdBy !== caller.userId && !has(caller, 'devices:write'))
      throw new ProblemError('permission_denied', "Lifting another user's freeze needs the permission devices:write.");
  }
}
