import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { EnrollmentKeyQuery, EnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { EnrollmentKeysRepository } from './enrollment-keys.repository.ts';

@Injectable()
export class ListEnrollmentKeys {
  constructor(
    private readonly work: UnitOfWork,
    private readonly enrollmentKeysRepository: EnrollmentKeysRepository,
  ) {}

  execute(caller: UserCaller, query: EnrollmentKeyQuery): Promise<Page<EnrollmentKeyResponse>> {
    return this.work.read(caller, (reader) => this.enrollmentKeysRepository.list(reader, caller, query));
  }
}
