import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { AdministratorsRepository } from './administrators.repository.ts';
import { MailFreeze } from './mail-freeze.ts';
import { MailReenrolment } from './mail-reenrolment.ts';

@Module({ imports: [MailModule, PeopleModule], providers: [MailFreeze, MailReenrolment, AdministratorsRepository] })
export class AdministratorMailsModule {}
