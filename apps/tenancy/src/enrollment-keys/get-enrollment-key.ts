import type { UserCaller } from '@gatehouse/contracts-core';
import type { EnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { enrollmentKeyView } from './enrollment-key.view.ts';
import { EnrollmentKeysRepository } from './enrollment-keys.repository.ts';

@Injectable()
export class GetEnrollmentKey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly enrollmentKeysRepository: EnrollmentKeysRepository,
  ) {}

  /** @throws ProblemError enrollment_key_not_found */
  execute(caller: UserCaller, id: string): Promise<EnrollmentKeyResponse> {
    return this.work.read(caller, async (reader) =>
      enrollmentKeyView(await this.enrollmentKeysRepository.get(reader, caller, id)),
    );
  }
}
