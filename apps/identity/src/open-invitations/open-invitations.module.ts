import { Module } from '@nestjs/common';
import { InvitationsModule } from '../invitations/invitations.module.ts';
import { MembershipsModule } from '../memberships/memberships.module.ts';
import { OffersModule } from '../offers/offers.module.ts';
import { GetInvitation } from './get-invitation.ts';
import { ResendInvitation } from './resend-invitation.ts';
import { UserInvitationsController } from './user-invitations.controller.ts';
import { WithdrawInvitation } from './withdraw-invitation.ts';

@Module({
  imports: [InvitationsModule, MembershipsModule, OffersModule],
  controllers: [UserInvitationsController],
  providers: [GetInvitation, ResendInvitation, WithdrawInvitation],
})
export class OpenInvitationsModule {}
