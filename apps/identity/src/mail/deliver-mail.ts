import { asService } from '@gatehouse/contracts-core';
import { KeyRing } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger, Every } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { type ClaimedMail, MailOutboxRepository } from './mail-outbox.repository.ts';
import { mailContext, type Mail } from './mailer.ts';
import { MailTransport } from './mail-transport.ts';

const EVERY_MS = 1_000;
/** Sends the mails that {@link Mailer} stored, in the background, with retries. */
@Injectable()
export class DeliverMail implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly work: UnitOfWork,
    private readonly keys: KeyRing,
    private readonly mailOutboxRepository: MailOutboxRepository,
    private readonly mailTransport: MailTransport,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.mailTransport.isConfigured)
      this.log.warn({}, 'neither SMTP_URL nor MAIL_DIR is set: mail waits until one is');
  }

  onApplicationShutdown(): void {
    this.mailTransport.close();
  }

  @Every(EVERY_MS, 'mail')
  async round(): Promise<void> {
    if (!this.mailTransport.isConfigured) return;
    const due = await this.work.background(asService('identity'), (tx) => this.mailOutboxRepository.claim(tx));
    for (const row of due) await this.send(row);
  }

  private async send({ id, mailSealed }: ClaimedMail): Promise<void> {
    try {
      await this.mailTransport.send(id, JSON.parse(this.keys.open(mailSealed, mailContext(id))) as Mail);
    } catch (error) {
      this.log.warn({ err: error, mailId: id }, 'a mail could not be sent; it will be tried again');
      return;
    }
    await this.work.background(asService('identity'), (tx) => this.mailOutboxRepository.delete(tx, id));
  }
}
