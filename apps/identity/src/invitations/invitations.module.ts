import { Module } from '@nestjs/common';
import { PasswordLoginModule } from '../password-login/password-login.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { SignInModule } from '../sign-in/sign-in.module.ts';
import { AcceptInvitation } from './accept-invitation.ts';
import { InvitationsController } from './invitations.controller.ts';
import { InvitedPassword } from './invited-password.ts';
import { OffersModule } from '../offers/offers.module.ts';

@Module({
  imports: [PeopleModule, PasswordsModule, PasswordLoginModule, SignInModule, MembershipsModule, OffersModule],
  controllers: [InvitationsController],
  providers: [InvitedPassword, AcceptInvitation],
})
export class InvitationsModule {}
