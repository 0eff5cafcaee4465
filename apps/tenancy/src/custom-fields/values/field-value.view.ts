import type { FieldValueRecord } from '@gatehouse/contracts-tenancy';
import type { AppliedField } from './field-values.repository.ts';

export const fieldValueView = ({ fieldId, fieldKey, name, type, value }: AppliedField): FieldValueRecord => ({
  fieldId,
  fieldKey,
  name,
  type,
  value: value ?? null,
});
