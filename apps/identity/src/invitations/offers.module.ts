import { Module } from '@nestjs/common';
import { MailModule } from '../mail/mail.module.ts';
import { UserStoreModule } from '../users/user-store.module.ts';
import { OffersRepository } from './offers.repository.ts';
import { SendInvitation } from './send-invitation.ts';
import { CreateInvitedUser } from './create-invited-user.ts';
import { WithdrawInvitation } from './withdraw-invitation.ts';

@Module({
  imports: [MailModule, UserStoreModule],
  providers: [OffersRepository, SendInvitation, CreateInvitedUser, WithdrawInvitation],
  exports: [OffersRepository, SendInvitation, CreateInvitedUser, WithdrawInvitation],
})
export class OffersModule {}
