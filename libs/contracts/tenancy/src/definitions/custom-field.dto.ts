import {
  Choice,
  Instant,
  JsonObject,
  NestedList,
  PageQuery,
  Text,
  TextList,
  Unread,
  Uuid,
  UuidList,
  Whole,
} from '@gatehouse/contracts-core';
import { ApiProperty } from '@nestjs/swagger';
import { Allow } from 'class-validator';
import { MAX_IMPORT_ROWS } from '../hierarchy/contact.dto.ts';
import { ImportRows, RowsOfObjects } from '../fields.ts';
import { OWNER_SCOPES, type OwnerScope } from '../vocabulary.ts';

export const CUSTOM_FIELD_TYPES = ['text', 'number', 'boolean', 'dropdown', 'date'] as const;
export type CustomFieldType = (typeof CUSTOM_FIELD_TYPES)[number];

const KEY = {
  max: 100,
  pattern: /^[A-Za-z][A-Za-z0-9_]*$/,
  patternHint: 'must begin with a letter and hold letters, digits and underscores only',
};
const OPTIONS = { min: 1, max: 255, maxItems: 200, optional: true } as const;

export class CreateCustomFieldDto {
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Text(KEY) fieldKey!: string;
  @Choice(CUSTOM_FIELD_TYPES) type!: CustomFieldType;
  @TextList(OPTIONS) options?: string[];
  @Choice(OWNER_SCOPES) ownerScope!: OwnerScope;
  @Uuid({ optional: true }) orgId?: string;
  @Uuid({ optional: true, description: 'For system callers: the owner, if the owner scope is partner' })
  partnerId?: string;
}

export class UpdateCustomFieldDto {
  @Text({ ...KEY, optional: true, description: 'Optional; cannot be changed' }) fieldKey?: string;
  @Choice(CUSTOM_FIELD_TYPES, { optional: true, description: 'Optional; cannot be changed' })
  type?: CustomFieldType;
  @Choice(OWNER_SCOPES, { optional: true, description: 'Optional; cannot be changed' }) ownerScope?: OwnerScope;
  @Uuid({ optional: true, nullable: true, description: 'Optional; cannot be changed' }) orgId?: string | null;
  @Uuid({ optional: true, description: 'Optional; cannot be changed' }) partnerId?: string;
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @TextList(OPTIONS) options?: string[];
}

export class CustomFieldResponse {
  @Uuid() id!: string;
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Choice(OWNER_SCOPES) ownerScope!: OwnerScope;
  @Text({ max: 255 }) name!: string;
  @Text(KEY) fieldKey!: string;
  @Choice(CUSTOM_FIELD_TYPES) type!: CustomFieldType;
  @TextList({ ...OPTIONS, optional: false }) options!: string[];
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
}

export class CustomFieldQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
}

export class FieldValuesDto {
  @JsonObject({ description: 'By field key; null clears a value' }) values!: Record<string, unknown>;
}

export class FieldValueRecord {
  @Uuid() fieldId!: string;
  @Text(KEY) fieldKey!: string;
  @Text({ max: 255 }) name!: string;
  @Choice(CUSTOM_FIELD_TYPES) type!: CustomFieldType;
  @ApiProperty({ nullable: true, oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] })
  @Allow()
  value!: string | number | boolean | null;
}

export const SOURCE_SCOPES = ['organization', 'location', 'device'] as const;

/** A field definition from another system. A definition scoped to locations there belongs to the organisation here. */
export class FieldRowDto {
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Text({ ...KEY, optional: true, description: 'Default: derived from the name' }) fieldKey?: string;
  @Choice(CUSTOM_FIELD_TYPES) type!: CustomFieldType;
  @TextList(OPTIONS) options?: string[];
  @Choice(OWNER_SCOPES, { optional: true }) ownerScope?: OwnerScope;
  @Uuid({ optional: true }) orgId?: string;
  @Choice(SOURCE_SCOPES, { optional: true }) sourceScope?: (typeof SOURCE_SCOPES)[number];
}

export class FieldImportRowDto extends FieldRowDto {
  @Unread('a previewed row may be sent back as it is') index?: number;
  @Unread('a previewed row may be sent back as it is') annotation?: FieldAnnotation;
  @Unread('a previewed row may be sent back as it is') fieldId?: string | null;
}

export class ImportFieldsDto {
  @NestedList(() => FieldImportRowDto, { minItems: 1, maxItems: 500, description: 'The rows, at most 500.' })
  @RowsOfObjects()
  rows!: FieldImportRowDto[];
}

export const FIELD_ANNOTATIONS = ['create', 'exists', 'update', 'conflict'] as const;
export type FieldAnnotation = (typeof FIELD_ANNOTATIONS)[number];

export class AnnotatedFieldRecord extends FieldRowDto {
  @Whole({ min: 0, max: MAX_IMPORT_ROWS }) index!: number;
  @Choice(FIELD_ANNOTATIONS) annotation!: FieldAnnotation;
  @Uuid({ nullable: true }) fieldId!: string | null;
}

export class FieldRowOutcomeRecord {
  @Whole({ min: 0, max: MAX_IMPORT_ROWS }) index!: number;
  @Uuid() fieldId!: string;
}

export class ValueImportRowDto {
  @Uuid({ optional: true }) organizationId?: string;
  @Text({ min: 1, max: 255, optional: true }) hostname?: string;
  @Text({ min: 1, max: 64, optional: true }) sourceSystem?: string;
  @Text({ min: 1, max: 255, optional: true }) sourceDeviceId?: string;
  @JsonObject({ description: 'By field key' }) values!: Record<string, unknown>;
  @Unread('a previewed row may be sent back as it is') index?: number;
  @Unread('a previewed row may be sent back as it is') outcome?: ValueOutcome;
  @Unread('a previewed row may be sent back as it is') deviceId?: string | null;
  @Unread('a previewed row may be sent back as it is') fieldIds?: string[];
}

export const VALUE_IMPORT_MODES = ['skip', 'overwrite'] as const;

export class ImportValuesDto {
  /** At most 1000 rows. A row that is not valid is reported in the answer and does not stop the others. */
  @RowsOfObjects()
  @ImportRows(() => ValueImportRowDto, MAX_IMPORT_ROWS)
  rows!: unknown[];

  @Choice(VALUE_IMPORT_MODES, {
    optional: true,
    description: 'What happens to existing values; default: skip',
  })
  mode?: (typeof VALUE_IMPORT_MODES)[number];
}

export const VALUE_OUTCOMES = ['matched', 'link-match', 'not-found', 'already-applied', 'conflict'] as const;
export type ValueOutcome = (typeof VALUE_OUTCOMES)[number];

export class ValueRowRecord {
  @Whole({ min: 0, max: MAX_IMPORT_ROWS }) index!: number;
  @Choice(VALUE_OUTCOMES) outcome!: ValueOutcome;
  @Uuid({ nullable: true }) deviceId!: string | null;
  @UuidList({ maxItems: 200 }) fieldIds!: string[];
}
