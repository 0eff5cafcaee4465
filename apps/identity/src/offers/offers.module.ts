import { Module } from '@nestjs/common';
import { AcceptedOffersRepository } from './accepted-offers.repository.ts';
import { InvitationMailsRepository } from './invitation-mails.repository.ts';
import { OffersRepository } from './offers.repository.ts';
import { WithdrawDeadOffers } from './withdraw-dead-offers.ts';

const SHARED = [OffersRepository, AcceptedOffersRepository, InvitationMailsRepository, WithdrawDeadOffers];

@Module({ providers: SHARED, exports: SHARED })
export class OffersModule {}
