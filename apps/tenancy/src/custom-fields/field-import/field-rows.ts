import type { FieldAnnotation, FieldImportRowDto, OwnerScope } from '@gatehouse/contracts-tenancy';
import { fieldKeyOf } from '@gatehouse/tenancy-domain';
import type { KnownField } from './field-import.repository.ts';

/** The outcome of a row, and the stored field with its key. */
export interface JudgedRow {
  readonly annotation: FieldAnnotation;
  readonly fieldId: string | null;
}

export const keyOf = ({ fieldKey, name }: FieldImportRowDto): string => fieldKey ?? fieldKeyOf(name);

/** A field that the other system keeps by location becomes a field of the organisation: sites have no fields. */
export const ownerScopeOf = ({ ownerScope, sourceScope }: FieldImportRowDto): OwnerScope =>
  sourceScope === 'location' ? 'organization' : (ownerScope ?? 'organization');

/** @param orgId the organisation that will own the field; null for the partner */
export function judge(row: FieldImportRowDto, known: readonly KnownField[], orgId: string | null): JudgedRow {
  const key = keyOf(row);
  const field = known.find((each) => each.fieldKey === key && each.orgId === orgId);
  if (!field) return { annotation: 'create', fieldId: null };
  if (field.type !== row.type) return { annotation: 'conflict', fieldId: field.id };
  return { annotation: row.sourceScope === 'location' ? 'update' : 'exists', fieldId: field.id };
}
