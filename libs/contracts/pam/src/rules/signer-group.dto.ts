import { Choice, Flag, Instant, Nested, NestedList, Text, TextList, Uuid, Whole } from '@gatehouse/contracts-core';
import { Transform } from 'class-transformer';
import { PaginationDto } from '../requests/elevation-request.dto.ts';
import { OWNER_SCOPES, type OwnerScope } from '../vocabulary.ts';
import { OrgListQuery } from './pam-config.dto.ts';

const NAME = { min: 1, max: 255, trim: true };
const DESCRIPTION = { max: 2000, nullable: true };
const SIGNERS = { min: 1, max: 255, maxItems: 500 };

/** Trims each signer before its length is checked. */
const Trimmed = (): PropertyDecorator =>
  Transform(({ value }) =>
    Array.isArray(value)
      ? value.map((item: unknown) => (typeof item === 'string' ? item.trim() : item))
      : (value as unknown),
  );

/** PAM-34. */
export class CreateSignerGroupDto {
  @Text(NAME) name!: string;
  @Text({ ...DESCRIPTION, optional: true }) description?: string | null;
  @Trimmed() @TextList({ ...SIGNERS, optional: true }) signers?: string[];
  @Uuid({ optional: true, description: 'Required if the caller reaches several organisations.' }) orgId?: string;
  @Choice(OWNER_SCOPES, { optional: true, description: "`partner`: for the partner's own rules." })
  ownerScope?: OwnerScope;
  @Uuid({ optional: true, description: 'The partner that owns the group; for system scope.' }) partnerId?: string;
}

export class SignerGroupsQuery extends OrgListQuery {
  @Choice(OWNER_SCOPES, { optional: true, description: "`partner`: the partner's groups." })
  scope?: OwnerScope;
  @Uuid({ optional: true, description: 'The partner whose groups are listed; required in system scope.' })
  partnerId?: string;
}

export class UpdateSignerGroupDto {
  @Text({ ...NAME, optional: true }) name?: string;
  @Text({ ...DESCRIPTION, optional: true }) description?: string | null;
  @Trimmed() @TextList({ ...SIGNERS, optional: true }) signers?: string[];
}

export class SignerGroupRecord {
  @Uuid() id!: string;
  @Uuid({ nullable: true, description: 'Null for a group of the partner.' }) orgId!: string | null;
  @Choice(OWNER_SCOPES) ownerScope!: OwnerScope;
  @Text(NAME) name!: string;
  @Text(DESCRIPTION) description!: string | null;
  @TextList(SIGNERS) signers!: string[];
  @Whole({ min: 1, max: 2_147_483_647 }) version!: number;
  @Instant() createdAt!: string;
  @Instant() updatedAt!: string;
}

export class SignerGroupsResponse {
  @Flag() success!: true;
  @NestedList(() => SignerGroupRecord, { maxItems: 10_000 }) signerGroups!: SignerGroupRecord[];
  @Nested(() => PaginationDto, { optional: true, description: 'Only if `page` or `limit` was given.' })
  pagination?: PaginationDto;
}

export class SignerGroupResponse {
  @Flag() success!: true;
  @Nested(() => SignerGroupRecord) signerGroup!: SignerGroupRecord;
  /** The same group in the form of the list (PAM-34). */
  @NestedList(() => SignerGroupRecord, { maxItems: 1 }) signerGroups!: SignerGroupRecord[];
}
