import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { EnrollmentKeyResponse, EnrollmentKeyQuery } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { listPage } from '../rows/list-page.sql.ts';
import { listedBelow, readableBelow } from '../scope/organizations-in-reach.repository.ts';
import { ENROLLMENT_KEY_COLUMNS, enrollmentKeyNotFound, keysInReach } from './enrollment-key.view.ts';

@Injectable()
export class ListEnrollmentKeys {
  constructor(private readonly work: UnitOfWork) {}

  execute(caller: UserCaller, query: EnrollmentKeyQuery): Promise<Page<EnrollmentKeyResponse>> {
    const conditions = keysInReach(caller)
      .add('org_id = ?', query.orgId)
      .add('site_id = ?', query.siteId)
      .raw(listedBelow(caller, 'org_id'));
    return this.work.read(caller, (reader) =>
      listPage<EnrollmentKeyResponse>(reader, query, {
        columns: ENROLLMENT_KEY_COLUMNS,
        from: 'enrollment_keys',
        conditions,
        order: ['id'],
      }),
    );
  }

  /** @throws ProblemError enrollment_key_not_found */
  async one(caller: UserCaller, id: string): Promise<EnrollmentKeyResponse> {
    const { where, parameters } = keysInReach(caller).add('id = ?', id).raw(readableBelow(caller, 'org_id'));
    const key = await this.work.read(caller, (reader) =>
      reader.one<EnrollmentKeyResponse>(`SELECT ${ENROLLMENT_KEY_COLUMNS} FROM enrollment_keys ${where}`, parameters),
    );
    if (!key) throw enrollmentKeyNotFound();
    return key;
  }
}
