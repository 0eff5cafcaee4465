import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.ts';
import { AddressesRepository } from './addresses.repository.ts';
import { MailAboutRequests } from './mail-about-requests.ts';

@Module({ imports: [MailModule], providers: [MailAboutRequests, AddressesRepository] })
export class RequestMailsModule {}
