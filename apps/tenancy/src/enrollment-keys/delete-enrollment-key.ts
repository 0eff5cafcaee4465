import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { auditKeyChange } from './audit-key-change.ts';
import { EnrollmentKeysRepository } from './enrollment-keys.repository.ts';

@Injectable()
export class DeleteEnrollmentKey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly enrollmentKeysRepository: EnrollmentKeysRepository,
  ) {}

  /** @throws ProblemError enrollment_key_not_found, organization_frozen */
  async execute(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const row = await this.enrollmentKeysRepository.delete(tx, caller, id);
      await requireWritable(tx, caller, row.orgId);
      auditKeyChange(tx, 'enrollment_key.delete', row);
    });
  }
}
