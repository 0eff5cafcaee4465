import { asService } from '@gatehouse/contracts-core';
import { KeyRing } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger, Every } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { mailContext, type Mail } from './mailer.ts';
import { MailTransport } from './mail-transport.ts';

const EVERY_MS = 1_000;
/** By then, the links in a mail have expired. */
const KEPT = `interval '7 days'`;
/**
 * Claims the mails that are due and first sets the time of their next retry, so that a mail is neither lost in a crash
 * nor sent by two replicas.
 */
const CLAIM = `
  WITH given_up AS (DELETE FROM mail_outbox WHERE created_at < now() - ${KEPT})
  UPDATE mail_outbox SET attempts = attempts + 1, due_at = now() + least(attempts + 1, 30) * interval '1 minute'
   WHERE id IN (SELECT id FROM mail_outbox WHERE due_at <= now() AND created_at >= now() - ${KEPT} ORDER BY due_at LIMIT 10 FOR UPDATE SKIP LOCKED)
  RETURNING id, mail_sealed`;
const DONE = `DELETE FROM mail_outbox WHERE id = $1`;

interface MailRow {
  readonly id: string;
  readonly mailSealed: string;
}

/** Sends the mails that {@link Mailer} stored, in the background, with retries. */
@Injectable()
export class DeliverMail implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: KeyRing,
    private readonly transport: MailTransport,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.transport.isConfigured)
      this.log.warn({}, 'neither SMTP_URL nor MAIL_DIR is set: mail waits until one is');
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }

  @Every(EVERY_MS, 'mail')
  async round(): Promise<void> {
    if (!this.transport.isConfigured) return;
    const due = await this.work.background(asService('identity'), (tx) => tx.query<MailRow>(CLAIM));
    for (const row of due) await this.send(row);
  }

  private async send({ id, mailSealed }: MailRow): Promise<void> {
    try {
      await this.transport.send(id, JSON.parse(this.keys.open(mailSealed, mailContext(id))) as Mail);
    } catch (error) {
      this.log.warn({ err: error, mailId: id }, 'a mail could not be sent; it will be tried again');
      return;
    }
    await this.work.background(asService('identity'), (tx) => tx.query(DONE, [id]));
  }
}
