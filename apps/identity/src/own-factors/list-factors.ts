import type { UserCaller } from '@gatehouse/contracts-core';
import type { FactorListResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from '../factors/factors.repository.ts';

/** GET /auth/mfa/factors: the caller's own factors. */
@Injectable()
export class ListFactors {
  constructor(
    private readonly work: UnitOfWork,
    private readonly factorsRepository: FactorsRepository,
  ) {}

  async execute(caller: UserCaller): Promise<FactorListResponse> {
    return { data: await this.work.read(caller, (reader) => this.factorsRepository.list(reader, caller.userId)) };
  }
}
