import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.ts';
import { PasswordLoginModule } from '../password-login/password-login.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { TechniciansModule } from '../users/technicians.module.ts';
import { UserStoreModule } from '../users/user-store.module.ts';
import { AcceptInvitation } from './accept-invitation.ts';
import { InvitationsController } from './invitations.controller.ts';
import { Invitations } from './invitations.ts';
import { InvitedPassword } from './invited-password.ts';

@Module({
  imports: [MailModule, PeopleModule, PasswordsModule, PasswordLoginModule, TechniciansModule, UserStoreModule],
  controllers: [InvitationsController],
  providers: [Invitations, InvitedPassword, AcceptInvitation],
  exports: [Invitations],
})
export class InvitationsModule {}
