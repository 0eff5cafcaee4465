import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The password of a user. Users whom only a provider signs in have none. */
@Entity('credentials')
export class CredentialEntity {
  @PrimaryColumn('uuid') userId!: string;
  @Column('text') passwordHash!: string;
  @Column('integer', { default: () => '0' }) failedAttempts!: number;
  @Column('timestamptz', { nullable: true }) lockedUntil!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) changedAt!: Date;
}

/** A link that was mailed to set a new password. */
@Entity('password_resets')
export class PasswordResetEntity {
  @PrimaryColumn('text') tokenHash!: string;
  @Column('uuid') userId!: string;
  @Column('timestamptz') expiresAt!: Date;
}
