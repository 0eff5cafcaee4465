import type { PolicyFeaturesDto, PolicyLevel } from '@gatehouse/contracts-tenancy';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Settings of agents, which apply to the devices below the policy's assignments. */
@Entity('configuration_policies')
export class ConfigurationPolicyEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null: the policy belongs to the whole partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('varchar') name!: string;
  @Column('jsonb', { default: () => "'{}'::jsonb" }) features!: PolicyFeaturesDto;
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

const TARGET_ID =
  "\nCASE level\n    WHEN 'partner'::text THEN partner_id\n    WHEN 'organization'::text THEN org_id\n    WHEN 'site'::text THEN site_id\n    WHEN 'group'::text THEN group_id\n    WHEN 'device'::text THEN device_id\n    ELSE NULL::uuid\nEND";

/** The assignment of a configuration policy to one target. */
@Entity('configuration_policy_assignments')
export class ConfigurationPolicyAssignmentEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') policyId!: string;
  @Column('uuid') partnerId!: string;
  /** The organisation of the target; null if the target is the partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('text') level!: PolicyLevel;
  /** Set only for the level `site`; likewise the next two columns for theirs. */
  @Column('uuid', { nullable: true }) siteId!: string | null;
  @Column('uuid', { nullable: true }) groupId!: string | null;
  @Column('uuid', { nullable: true }) deviceId!: string | null;
  /** The id of the target, whatever its level. */
  @Column({ type: 'uuid', generatedType: 'STORED', asExpression: TARGET_ID }) targetId!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
