import { Module } from '@nestjs/common';
import { CreatePartner } from './create-partner.ts';
import { DeletePartner } from './delete-partner.ts';
import { GetPartner } from './get-partner.ts';
import { ListPartners } from './list-partners.ts';
import { PartnersController } from './partners.controller.ts';
import { UpdatePartner } from './update-partner.ts';

@Module({
  controllers: [PartnersController],
  providers: [ListPartners, GetPartner, CreatePartner, UpdatePartner, DeletePartner],
})
export class PartnersModule {}
