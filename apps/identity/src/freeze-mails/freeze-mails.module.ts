import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { AdministratorsRepository } from './administrators.repository.ts';
import { MailAdministrators } from './mail-administrators.ts';

@Module({ imports: [MailModule, PeopleModule], providers: [MailAdministrators, AdministratorsRepository] })
export class FreezeMailsModule {}
