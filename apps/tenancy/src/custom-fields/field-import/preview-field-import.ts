import { hasPartnerWidePolicyRights, type UserCaller } from '@gatehouse/contracts-core';
import type { AnnotatedFieldRecord, FieldImportRowDto, ImportFieldsDto } from '@gatehouse/contracts-tenancy';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { FieldImportRepository } from './field-import.repository.ts';
import { judge, type JudgedRow, keyOf, ownerScopeOf } from './field-rows.ts';

/** The import rejects such a row regardless of the stored fields. */
const OUT_OF_REACH: JudgedRow = { annotation: 'conflict', fieldId: null };

@Injectable()
export class PreviewFieldImport {
  constructor(
    private readonly work: UnitOfWork,
    private readonly fieldImportRepository: FieldImportRepository,
  ) {}

  execute(caller: UserCaller, { rows }: ImportFieldsDto): Promise<{ rows: AnnotatedFieldRecord[] }> {
    return this.work.read(caller, async (reader) => {
      const known = await this.fieldImportRepository.known(reader, caller, rows.map(keyOf));
      const mayOwn = await this.ownersInReach(reader, caller, rows);
      const orgOf = (row: FieldImportRowDto): string | null =>
        ownerScopeOf(row) === 'partner' ? null : (row.orgId ?? caller.orgId);
      return {
        rows: rows.map((row, index) => ({
          ...row,
          index,
          ...(mayOwn(orgOf(row)) ? judge(row, known, orgOf(row)) : OUT_OF_REACH),
        })),
      };
    });
  }

  /** Returns for each owner (null is the partner) whether the caller may create fields for it. */
  private async ownersInReach(
    reader: Reader,
    caller: UserCaller,
    rows: readonly FieldImportRowDto[],
  ): Promise<(orgId: string | null) => boolean> {
    const ids = rows.map(({ orgId }) => orgId ?? caller.orgId ?? '').filter(Boolean);
    const inReach =
      caller.scope.sites === 'all'
        ? await this.fieldImportRepository.organizationsInReach(reader, caller, ids)
        : new Set<string>();
    return (orgId) => (orgId === null ? hasPartnerWidePolicyRights(caller) : inReach.has(orgId));
  }
}
