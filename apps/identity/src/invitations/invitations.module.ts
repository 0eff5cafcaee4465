import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.ts';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { OffersModule } from '../offers/offers.module.ts';
import { OwnFactorsModule } from '../own-factors/own-factors.module.ts';
import { PasswordLoginModule } from '../password-login/password-login.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SignInModule } from '../sign-in/sign-in.module.ts';
import { AcceptBySingleSignOn } from './accept-by-single-sign-on.ts';
import { AcceptInvitation } from './accept-invitation.ts';
import { AcceptOffer } from './accept-offer.ts';
import { ChangeInvitation } from './change-invitation.ts';
import { CreateInvitedUser } from './create-invited-user.ts';
import { InvitationsController } from './invitations.controller.ts';
import { InvitedPassword } from './invited-password.ts';
import { OfferMembership } from './offer-membership.ts';
import { SendInvitation } from './send-invitation.ts';

@Module({
  imports: [
    MailModule,
    MembershipsModule,
    OffersModule,
    OwnFactorsModule,
    PasswordLoginModule,
    PasswordsModule,
    PeopleModule,
    SessionCookieModule,
    SignInModule,
  ],
  controllers: [InvitationsController],
  providers: [
    SendInvitation,
    InvitedPassword,
    CreateInvitedUser,
    AcceptOffer,
    AcceptInvitation,
    AcceptBySingleSignOn,
    ChangeInvitation,
    OfferMembership,
  ],
  exports: [SendInvitation, OfferMembership, ChangeInvitation, AcceptBySingleSignOn],
})
export class InvitationsModule {}
