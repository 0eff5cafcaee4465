import { Choice, Flag, Instant, Nested, NestedList, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { PaginationDto } from '../requests/elevation-request.dto.ts';
import { HIERARCHY_LEVELS, type HierarchyLevel, POLICY_MODES, type PolicyMode } from '../vocabulary.ts';

const NAME = { min: 1, max: 255, trim: true };
const PRIORITY = { min: 0, max: 2_147_483_647 };
const RULES = { maxItems: 1000 };
const CLEARABLE = { optional: true, nullable: true };

export class PolicyTargetDto {
  @Choice(HIERARCHY_LEVELS) level!: HierarchyLevel;
  @Uuid() id!: string;
}

/** One matching field is enough; at least one field is required (decisions, "software policies"). */
export class SoftwareRuleDto {
  @Text(NAME) name!: string;
  @Text({
    ...CLEARABLE,
    max: 64,
    pattern: /^[0-9a-fA-F]{64}$/,
    patternHint: 'must be a SHA-256 in 64 hexadecimal digits',
  })
  sha256?: string | null;
  @Text({ ...CLEARABLE, min: 1, max: 255 }) signer?: string | null;
  @Text({ ...CLEARABLE, min: 1, max: 255 }) publisher?: string | null;
  @Text({ ...CLEARABLE, min: 1, max: 1024 }) pathGlob?: string | null;
}

export class CreateSoftwarePolicyDto {
  @Text(NAME) name!: string;
  @Choice(POLICY_MODES) mode!: PolicyMode;
  @Whole({ ...PRIORITY, optional: true }) priority?: number;
  @Flag({ optional: true }) enabled?: boolean;
  @Nested(() => PolicyTargetDto) target!: PolicyTargetDto;
  @NestedList(() => SoftwareRuleDto, RULES) rules!: SoftwareRuleDto[];
}

export class UpdateSoftwarePolicyDto {
  @Text({ ...NAME, optional: true }) name?: string;
  @Choice(POLICY_MODES, { optional: true }) mode?: PolicyMode;
  @Whole({ ...PRIORITY, optional: true }) priority?: number;
  @Flag({ optional: true }) enabled?: boolean;
  @Nested(() => PolicyTargetDto, { optional: true }) target?: PolicyTargetDto;
  @NestedList(() => SoftwareRuleDto, { ...RULES, optional: true }) rules?: SoftwareRuleDto[];
}

export class SoftwarePolicyRecord {
  @Uuid() id!: string;
  @Uuid({ nullable: true, description: 'Null: every organisation of the partner.' }) orgId!: string | null;
  @Text(NAME) name!: string;
  @Choice(POLICY_MODES) mode!: PolicyMode;
  @Whole(PRIORITY) priority!: number;
  @Flag() enabled!: boolean;
  @Nested(() => PolicyTargetDto) target!: PolicyTargetDto;
  @NestedList(() => SoftwareRuleDto, RULES) rules!: SoftwareRuleDto[];
  @Whole({ min: 1, max: PRIORITY.max }) version!: number;
  @Instant() createdAt!: string;
  @Instant() updatedAt!: string;
}

export class SoftwarePoliciesResponse {
  @Flag() success!: true;
  @NestedList(() => SoftwarePolicyRecord, { maxItems: 10_000 }) softwarePolicies!: SoftwarePolicyRecord[];
  @Nested(() => PaginationDto, { optional: true, description: 'Only if `page` or `limit` was given.' })
  pagination?: PaginationDto;
}

export class SoftwarePolicyResponse {
  @Flag() success!: true;
  @Nested(() => SoftwarePolicyRecord) softwarePolicy!: SoftwarePolicyRecord;
}
