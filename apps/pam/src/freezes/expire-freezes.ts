import { asService } from '@gatehouse/contracts-core';
import { FreezeLifted } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { bumpRulebook } from '@gatehouse/pam-store';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { freezeFact, freezeSubject } from './freeze.view.ts';
import { FreezesRepository } from './freezes.repository.ts';

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
    tx.audit({ ...freezeSubject(expired), action: 'pam.freeze.expire' });
    return true;
  }
}
