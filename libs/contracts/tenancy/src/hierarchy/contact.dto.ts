import {
  Choice,
  ChoiceList,
  Flag,
  Instant,
  PageQuery,
  Sort,
  Text,
  TextList,
  Unread,
  Uuid,
  Whole,
} from '@gatehouse/contracts-core';
import { ImportRows } from '../fields.ts';
import { CONTACT_ROLES, type ContactRole } from '../vocabulary.ts';

export const MAX_IMPORT_ROWS = 1000;
const CLEARABLE = { optional: true, nullable: true } as const;
const MAX_ROLES = 20;

/**
 * What requests and rows of an import say about a contact. The contact rules, which have their own problem codes,
 * validate identifiers, e-mail form and roles.
 */
export class ContactDetailsDto {
  @Text({ ...CLEARABLE, max: 255, trim: true }) name?: string | null;
  @Text({ ...CLEARABLE, max: 320, trim: true }) email?: string | null;
  @Text({ ...CLEARABLE, max: 64, trim: true }) phone?: string | null;
  /** The mobile number. */
  @Text({ ...CLEARABLE, max: 64, trim: true }) mobile?: string | null;
  @Text({ ...CLEARABLE, max: 255, trim: true }) title?: string | null;
  @TextList({ ...CLEARABLE, max: 64, maxItems: MAX_ROLES }) roles?: string[] | null;
  @Text({ ...CLEARABLE, max: 5000, trim: true }) notes?: string | null;
}

/** The members that a request may contain. */
export class ContactFieldsDto extends ContactDetailsDto {
  @Uuid({ optional: true, description: 'Optional; must be the organisation in the path and cannot be changed' })
  orgId?: string;
  @Uuid(CLEARABLE) siteId?: string | null;
  @Flag(CLEARABLE) isPrimary?: boolean | null;
}

export class ContactResponse {
  @Uuid() id!: string;
  @Uuid() orgId!: string;
  @Uuid({ nullable: true }) siteId!: string | null;
  @Text({ max: 255, nullable: true }) name!: string | null;
  @Text({ max: 320, nullable: true }) email!: string | null;
  @Text({ max: 64, nullable: true }) phone!: string | null;
  /** The mobile number. */
  @Text({ max: 64, nullable: true }) mobile!: string | null;
  @Text({ max: 255, nullable: true }) title!: string | null;
  @ChoiceList(CONTACT_ROLES, { maxItems: CONTACT_ROLES.length }) roles!: ContactRole[];
  @Flag() isPrimary!: boolean;
  @Text({ max: 5000, nullable: true }) notes!: string | null;
  @Text({ max: 64, nullable: true }) externalSystem!: string | null;
  @Text({ max: 255, nullable: true }) externalId!: string | null;
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
}

const UUID_OR_NONE = /^(?:none|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i;

export const CONTACT_SORTS = ['name', 'email', 'createdAt'] as const;

export class ContactQuery extends PageQuery {
  @Text({
    optional: true,
    max: 36,
    pattern: UUID_OR_NONE,
    patternHint: 'must be the id of a site, or none for contacts of the organisation itself',
  })
  siteId?: string;
  @Text({ optional: true, max: 64 }) role?: string;
  @Sort(CONTACT_SORTS) sort?: string;
}

export const IMPORT_MODES = ['skip', 'update'] as const;
export type ImportMode = (typeof IMPORT_MODES)[number];

export const CONTACT_ANNOTATIONS = [
  'create',
  'link-match',
  'email-match',
  'name-match',
  'conflict',
  'org-not-found',
] as const;
export type ContactAnnotation = (typeof CONTACT_ANNOTATIONS)[number];

/** One row of an import; an invalid row is reported by its index and does not affect other rows. */
export class ContactRowDto extends ContactDetailsDto {
  @Uuid({ optional: true }) organizationId?: string;
  @Text({ optional: true, max: 255, description: 'Name or slug, when organizationId is not known' })
  organization?: string;
  @Text({ ...CLEARABLE, max: 255, description: 'Id or name of a site of the organisation' }) site?: string | null;
  @Flag({ ...CLEARABLE, description: 'If several rows of one organisation or site set it, the last one counts' })
  isPrimary?: boolean | null;
  @Text({ ...CLEARABLE, max: 255 }) externalId?: string | null;
  @Text({ ...CLEARABLE, max: 64 }) externalSystem?: string | null;
  @Choice(CONTACT_ANNOTATIONS, { ...CLEARABLE, description: 'For the import only: the annotation from the preview' })
  expectedAnnotation?: ContactAnnotation | null;
  @Uuid({ ...CLEARABLE, description: 'For the import only: the contact from the preview' }) expectedContactId?:
    string | null;
}

export class ContactImportRowDto extends ContactRowDto {
  @Unread('a previewed row may be sent back as it is') index?: number;
  @Unread('a previewed row may be sent back as it is') annotation?: ContactAnnotation;
  @Unread('a previewed row may be sent back as it is') contactId?: string | null;
  @Unread('a previewed row may be sent back as it is') conflictReason?: string;
}

export class ImportContactsDto {
  /** At most 1000 rows. A row that is not valid is reported in the answer and does not stop the others. */
  @ImportRows(() => ContactImportRowDto, MAX_IMPORT_ROWS)
  rows!: unknown[];

  @Choice(IMPORT_MODES, { optional: true }) mode?: ImportMode;
}

export class PreviewedContactRowRecord extends ContactRowDto {
  @Whole({ min: 0, max: MAX_IMPORT_ROWS }) index!: number;
  @Choice(CONTACT_ANNOTATIONS) annotation!: ContactAnnotation;
  @Uuid({ nullable: true }) contactId!: string | null;
  @Text({ max: 1000, optional: true }) conflictReason?: string;
}

export class ImportedRowRecord {
  @Whole({ min: 0, max: MAX_IMPORT_ROWS }) index!: number;
  @Uuid() organizationId!: string;
  @Uuid() contactId!: string;
}

export class SkippedRowRecord extends ImportedRowRecord {
  @Text({ max: 64 }) reason!: string;
}

export class FaultyRowRecord {
  @Whole({ min: 0, max: MAX_IMPORT_ROWS }) index!: number;
  @Text({ max: 64 }) code!: string;
  @Text({ max: 1000 }) message!: string;
}
