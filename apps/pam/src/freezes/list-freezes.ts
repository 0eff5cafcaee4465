import type { UserCaller } from '@gatehouse/contracts-core';
import type { FreezeRecord, ListFreezesQuery } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { freezeView } from './freeze.view.ts';
import { FreezesRepository } from './freezes.repository.ts';

@Injectable()
export class ListFreezes {
  constructor(
    private readonly work: UnitOfWork,
    private readonly freezes: FreezesRepository,
  ) {}

  async execute(caller: UserCaller, { active, orgId }: ListFreezesQuery): Promise<FreezeRecord[]> {
    const filter = { orgId, ...(active && { active: active === 'true' }) };
    const rows = await this.work.read(caller, (reader) => this.freezes.list(reader, caller.scope, filter));
    return rows.map(freezeView);
  }
}
