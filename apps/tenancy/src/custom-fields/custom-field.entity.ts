import type { CustomFieldType } from '@gatehouse/contracts-tenancy';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The definition of a field for which devices have values. */
@Entity('custom_fields')
export class CustomFieldEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') partnerId!: string;
  /** Null: the field belongs to the whole partner. */
  @Column('uuid', { nullable: true }) orgId!: string | null;
  @Column('varchar') name!: string;
  @Column('varchar') fieldKey!: string;
  @Column('text') type!: CustomFieldType;
  /** The values to choose from; only dropdowns have options. */
  @Column('text', { array: true, default: () => "'{}'::text[]" }) options!: string[];
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
