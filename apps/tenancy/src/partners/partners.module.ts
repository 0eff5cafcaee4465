import { Module } from '@nestjs/common';
import { CreatePartner } from './create-partner.ts';
import { DeletePartner } from './delete-partner.ts';
import { GetPartner } from './get-partner.ts';
import { ListPartners } from './list-partners.ts';
import { UpdateOwnPartner } from './own-partner/update-own-partner.ts';
import { PartnersController } from './partners.controller.ts';
import { PartnersRepository } from './partners.repository.ts';
import { UpdatePartner } from './update-partner.ts';

@Module({
  controllers: [PartnersController],
  providers: [
    ListPartners,
    GetPartner,
    CreatePartner,
    UpdatePartner,
    UpdateOwnPartner,
    DeletePartner,
    PartnersRepository,
  ],
  exports: [PartnersRepository],
})
export class PartnersModule {}
