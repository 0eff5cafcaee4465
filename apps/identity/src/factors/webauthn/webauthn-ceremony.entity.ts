import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A pending registration of a passkey, or a pending step-up with one. */
@Entity('webauthn_ceremonies')
export class WebauthnCeremonyEntity {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('text') purpose!: 'register' | 'step_up';
  @Column('text') challenge!: string;
  @Column('timestamptz') expiresAt!: Date;
}
