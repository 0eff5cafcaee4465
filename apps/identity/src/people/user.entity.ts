import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A person's account; one for each mail address in the installation. */
@Entity('users')
export class UserEntity {
  @PrimaryColumn('uuid') id!: string;
  /** With ASCII letters in lower case. */
  @Column('text') email!: string;
  @Column('text') name!: string;
  @Column('text') status!: 'invited' | 'active' | 'suspended';
  @Column('boolean', { default: () => 'false' }) breakGlass!: boolean;
  /** The version of the last state that was published for the technicians of other services. */
  @Column('bigint', { default: () => '1' }) version!: number;
  @Column('timestamptz', { nullable: true }) lastLoginAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}
