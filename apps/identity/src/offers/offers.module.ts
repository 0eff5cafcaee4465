import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.ts';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { OffersRepository } from './offers.repository.ts';
import { SendInvitation } from '../invitations/send-invitation.ts';
import { CreateInvitedUser } from '../invitations/create-invited-user.ts';
import { WithdrawInvitation } from '../invitations/withdraw-invitation.ts';

@Module({
  imports: [MailModule, MembershipsModule],
  providers: [OffersRepository, SendInvitation, CreateInvitedUser, WithdrawInvitation],
  exports: [OffersRepository, SendInvitation, CreateInvitedUser, WithdrawInvitation],
})
export class OffersModule {}
