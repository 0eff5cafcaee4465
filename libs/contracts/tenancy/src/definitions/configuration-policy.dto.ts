import { Choice, Flag, Instant, Nested, NestedList, PageQuery, Text, Uuid, Whole } from '@gatehouse/contracts-core';
import { OWNER_SCOPES, type OwnerScope, POLICY_LEVELS, type PolicyLevel } from '../vocabulary.ts';

const MAX_ASSIGNMENTS = 10_000;

export class PamFeatureDto {
  @Flag() uacInterceptionEnabled!: boolean;
}

export class PolicyFeaturesDto {
  @Nested(() => PamFeatureDto, { optional: true }) pam?: PamFeatureDto;
}

export class CreateConfigurationPolicyDto {
  @Text({ min: 1, max: 255, trim: true }) name!: string;
  @Choice(OWNER_SCOPES) ownerScope!: OwnerScope;
  @Uuid({ optional: true, description: 'The owner, if the owner scope is organization' }) orgId?: string;
  @Uuid({ optional: true, description: 'For system callers: the owner, if the owner scope is partner' })
  partnerId?: string;
  @Nested(() => PolicyFeaturesDto) features!: PolicyFeaturesDto;
}

export class UpdateConfigurationPolicyDto {
  @Choice(OWNER_SCOPES, { optional: true, description: 'Optional; cannot be changed' }) ownerScope?: OwnerScope;
  @Uuid({ optional: true, nullable: true, description: 'Optional; cannot be changed' }) orgId?: string | null;
  @Uuid({ optional: true, description: 'Optional; cannot be changed' }) partnerId?: string;
  @Text({ min: 1, max: 255, optional: true, trim: true }) name?: string;
  @Nested(() => PolicyFeaturesDto, { optional: true }) features?: PolicyFeaturesDto;
}

export class AssignPolicyDto {
  @Choice(POLICY_LEVELS) level!: PolicyLevel;
  @Uuid() targetId!: string;
}

export class PolicyAssignmentRecord {
  @Uuid() id!: string;
  @Uuid() policyId!: string;
  @Choice(POLICY_LEVELS) level!: PolicyLevel;
  @Uuid() targetId!: string;
  @Instant() createdAt!: Date;
}

export class ConfigurationPolicyResponse {
  @Uuid() id!: string;
  @Uuid() partnerId!: string;
  @Uuid({ nullable: true }) orgId!: string | null;
  @Choice(OWNER_SCOPES) ownerScope!: OwnerScope;
  @Text({ max: 255 }) name!: string;
  @Nested(() => PolicyFeaturesDto) features!: PolicyFeaturesDto;
  @NestedList(() => PolicyAssignmentRecord, { maxItems: MAX_ASSIGNMENTS }) assignments!: PolicyAssignmentRecord[];
  @Whole({ min: 1, max: Number.MAX_SAFE_INTEGER, description: 'Assignments do not change it.' }) version!: number;
  @Instant() createdAt!: Date;
  @Instant() updatedAt!: Date;
}

export class ConfigurationPolicyQuery extends PageQuery {
  @Uuid({ optional: true }) orgId?: string;
}
