import { hasPartnerWidePolicyRights, type UserCaller } from '@gatehouse/contracts-core';
import type {
  AnnotatedFieldRecord,
  FieldAnnotation,
  FieldImportRowDto,
  ImportFieldsDto,
  OwnerScope,
} from '@gatehouse/contracts-tenancy';
import { type Reader, UnitOfWork } from '@gatehouse/database';
import { fieldKeyOf } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { FieldImportRepository, type KnownField } from '../custom-fields.repository.ts';

/** The outcome of a row, and the stored field with its key. */
interface FieldRowCheck {
  readonly annotation: FieldAnnotation;
  readonly fieldId: string | null;
}

/** A stored field, or one that an earlier row of the import creates: in a preview it has no id. */
type JudgedField = Omit<KnownField, 'id'> & { readonly id: string | null };

export const keyOf = ({ fieldKey, name }: FieldImportRowDto): string => fieldKey ?? fieldKeyOf(name);

/** A field that the other system keeps by location becomes a field of the organisation: sites have no fields. */
export const ownerScopeOf = ({ ownerScope, sourceScope }: FieldImportRowDto): OwnerScope =>
  sourceScope === 'location' ? 'organization' : (ownerScope ?? 'organization');

/** @param orgId the organisation that will own the field; null for the partner */
export function judge(row: FieldImportRowDto, known: readonly JudgedField[], orgId: string | null): FieldRowCheck {
  const key = keyOf(row);
  const field = known.find((each) => each.fieldKey === key && each.orgId === orgId);
  if (!field) return { annotation: 'create', fieldId: null };
  if (field.type !== row.type) return { annotation: 'conflict', fieldId: field.id };
  return { annotation: row.sourceScope === 'location' ? 'update' : 'exists', fieldId: field.id };
}

export const hasFittingOptions = ({ type, options = [] }: FieldImportRowDto): boolean =>
  (type === 'dropdown') === options.length > 0;

/** The import rejects such a row. */
const REJECTED: FieldRowCheck = { annotation: 'conflict', fieldId: null };

@Injectable()
export class FieldImportService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly fieldImportRepository: FieldImportRepository,
  ) {}

  preview(caller: UserCaller, { rows }: ImportFieldsDto): Promise<{ rows: AnnotatedFieldRecord[] }> {
    return this.work.read(caller, async (reader) => {
      const known: JudgedField[] = await this.fieldImportRepository.known(reader, caller, rows.map(keyOf));
      const mayOwn = await this.ownersInReach(reader, caller, rows);
      const judged = (row: FieldImportRowDto): FieldRowCheck => {
        const orgId = ownerScopeOf(row) === 'partner' ? null : (row.orgId ?? caller.orgId ?? '');
        if (!mayOwn(orgId) || !hasFittingOptions(row)) return REJECTED;
        const check = judge(row, known, orgId);
        if (check.annotation === 'create') known.push({ id: null, orgId, fieldKey: keyOf(row), type: row.type });
        return check;
      };
      return { rows: rows.map((row, index) => ({ ...row, index, ...judged(row) })) };
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
        ? await this.fieldImportRepository.writableOrganizations(reader, caller, ids)
        : new Set<string>();
    const mayOwnPartners = caller.partnerId !== null && hasPartnerWidePolicyRights(caller);
    return (orgId) => (orgId === null ? mayOwnPartners : inReach.has(orgId));
  }
}
