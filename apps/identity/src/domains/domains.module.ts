import { Module } from '@nestjs/common';
import { SsoProvidersModule } from '../sso-providers/sso-providers.module.ts';
import { AddressSpellingsController } from './address-spellings.ts';
import { CreateDomain } from './create-domain.ts';
import { DeleteDomain } from './delete-domain.ts';
import { DomainProof } from './domain-proof.ts';
import { DomainsController } from './domains.controller.ts';
import { DomainsRepository } from './domains.repository.ts';
import { ListDomains } from './list-domains.ts';
import { RecheckDomains } from './recheck-domains.ts';
import { VerifyDomain } from './verify-domain.ts';

@Module({
  imports: [SsoProvidersModule],
  controllers: [DomainsController, AddressSpellingsController],
  providers: [DomainsRepository, DomainProof, ListDomains, CreateDomain, VerifyDomain, DeleteDomain, RecheckDomains],
  exports: [RecheckDomains],
})
export class DomainsModule {}
