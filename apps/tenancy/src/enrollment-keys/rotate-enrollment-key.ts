import type { UserCaller } from '@gatehouse/contracts-core';
import type { IssuedEnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import {
  ENROLLMENT_KEY_COLUMNS,
  enrollmentKeyNotFound,
  type EnrollmentKeyRow,
  enrollmentKeyView,
  keysInReach,
  newKey,
} from './enrollment-key.view.ts';

/** Replaces the secret of a key or deletes the key; either way the old secret stops working. */
@Injectable()
export class RotateEnrollmentKey {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError enrollment_key_not_found, organization_frozen */
  execute(caller: UserCaller, id: string): Promise<IssuedEnrollmentKeyResponse> {
    const { key, hash } = newKey();
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const conditions = keysInReach(caller).add('id = ?', id);
      const row = await this.change(
        tx,
        caller,
        `UPDATE enrollment_keys SET key = ${conditions.bind(hash)} ${conditions.where} RETURNING ${ENROLLMENT_KEY_COLUMNS}, partner_id`,
        conditions.parameters,
      );
      this.record(tx, 'enrollment_key.rotate', row);
      return { ...enrollmentKeyView(row), key };
    });
  }

  /** @throws ProblemError enrollment_key_not_found, organization_frozen */
  async delete(caller: UserCaller, id: string): Promise<void> {
    const { where, parameters } = keysInReach(caller).add('id = ?', id);
    await this.work.run(caller, async (tx) => {
      this.record(
        tx,
        'enrollment_key.delete',
        await this.change(
          tx,
          caller,
          `DELETE FROM enrollment_keys ${where} RETURNING ${ENROLLMENT_KEY_COLUMNS}, partner_id`,
          parameters,
        ),
      );
    });
  }

  private async change(
    tx: Tx,
    caller: UserCaller,
    sql: string,
    parameters: Parameters<Tx['query']>[1],
  ): Promise<EnrollmentKeyRow> {
    const row = await tx.one<EnrollmentKeyRow>(sql, parameters);
    if (!row) throw enrollmentKeyNotFound();
    await requireWritable(tx, caller, row.orgId);
    return row;
  }

  private record(
    tx: Tx,
    action: 'enrollment_key.rotate' | 'enrollment_key.delete',
    { id, name, partnerId, orgId, siteId }: EnrollmentKeyRow,
  ): void {
    tx.audit({ action, partnerId, orgId, siteId, resource: { type: 'enrollment_key', id, name } });
  }
}
