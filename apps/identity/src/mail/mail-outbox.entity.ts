import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A mail that waits to be sent. */
@Entity('mail_outbox')
export class MailOutboxEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') mailSealed!: string;
  @Column('integer', { default: () => '0' }) attempts!: number;
  /** When it is sent for the first time, or tried again. */
  @Column('timestamptz', { default: () => 'now()' }) dueAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
}
