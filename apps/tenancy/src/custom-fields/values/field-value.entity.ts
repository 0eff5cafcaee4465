import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A device's value of a custom field. */
@Entity('custom_field_values')
export class CustomFieldValueEntity {
  @PrimaryColumn('uuid') deviceId!: string;
  @PrimaryColumn('uuid') fieldId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('jsonb') value!: string | number | boolean;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
