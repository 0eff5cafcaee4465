import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
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

/** By then, the links in a mail have expired. */
const KEPT = `interval '7 days'`;
const CLAIM = `
  WITH given_up AS (DELETE FROM mail_outbox WHERE created_at < now() - ${KEPT})
  UPDATE mail_outbox SET attempts = attempts + 1, due_at = now() + least(attempts + 1, 30) * interval '1 minute'
   WHERE id IN (SELECT id FROM mail_outbox WHERE due_at <= now() AND created_at >= now() - ${KEPT} ORDER BY due_at
     LIMIT 10 FOR UPDATE SKIP LOCKED)
  RETURNING id, mail_sealed`;

export type ClaimedMail = Pick<MailOutboxEntity, 'id' | 'mailSealed'>;

/** The mails that wait to be sent. */
@Injectable()
export class MailOutboxRepository {
  async insert(tx: Tx, id: string, mailSealed: string): Promise<void> {
    await tx.manager.insert(MailOutboxEntity, { id, mailSealed });
  }

  /**
   * Claims the mails that are due and first sets the time of their next retry, so that a mail is neither lost in a
   * crash nor sent by two replicas.
   */
  claim(tx: Tx): Promise<ClaimedMail[]> {
    return tx.query<ClaimedMail>(CLAIM);
  }

  async delete(tx: Tx, id: string): Promise<void> {
    await tx.manager.delete(MailOutboxEntity, { id });
  }
}
