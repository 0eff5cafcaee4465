import type { UserCaller } from '@gatehouse/contracts-core';
import type { IssuedEnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import { shownOnce, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { auditKeyChange } from './audit-key-change.ts';
import { newSecret } from './enrollment-key-secret.ts';
import { enrollmentKeyView } from './enrollment-key.view.ts';
import { EnrollmentKeysRepository } from './enrollment-keys.repository.ts';

/** Replaces the secret of a key; the old secret stops working. */
@Injectable()
export class RotateEnrollmentKey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly enrollmentKeysRepository: EnrollmentKeysRepository,
  ) {}

  /** @throws ProblemError enrollment_key_not_found, organization_frozen */
  execute(caller: UserCaller, id: string): Promise<IssuedEnrollmentKeyResponse> {
    const { key, keyHash } = newSecret();
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const row = await this.enrollmentKeysRepository.replaceSecret(tx, caller, id, keyHash);
        await requireWritable(tx, caller, row.orgId);
        auditKeyChange(tx, 'enrollment_key.rotate', row);
        return { ...enrollmentKeyView(row), key };
      },
      shownOnce(() => id),
    );
  }
}
