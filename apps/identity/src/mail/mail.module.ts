import { Module } from '@nestjs/common';
import { DeliverMail } from './deliver-mail.ts';
import { MailOutboxRepository } from './mail-outbox.repository.ts';
import { MailTransport } from './mail-transport.ts';
import { Mailer } from './mailer.ts';
import { TenantNamesRepository } from './tenant-names.repository.ts';

@Module({
  providers: [MailOutboxRepository, Mailer, DeliverMail, MailTransport, TenantNamesRepository],
  exports: [Mailer, TenantNamesRepository],
})
export class MailModule {}
