import { invalid, mailDomainOf, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateDomainDto, DomainRecord } from '@gatehouse/contracts-identity';
import { newId, randomToken } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { ProviderOwner } from '../sso-providers/settings/provider-owner.ts';
import { domainRecordOf, domainResource } from './domain.view.ts';
import { DomainsRepository } from './domains.repository.ts';

const MAX_DOMAIN = 253;

/** Returns the domain in the form that mail addresses use. Public suffixes are rejected. */
function canonical(written: string): string {
  const domain = mailDomainOf(written.replace(/\.$/, ''));
  if (!domain || domain.length > MAX_DOMAIN || !getDomain(domain))
    throw invalid('domain', 'must be a domain that can be registered, such as example.com');
  return domain;
}

/** `POST /sso/domains`: adds an unverified domain to an organisation. */
@Injectable()
export class CreateDomain {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domainsRepository: DomainsRepository,
    private readonly providerOwner: ProviderOwner,
  ) {}

  execute(caller: UserCaller, body: CreateDomainDto): Promise<DomainRecord> {
    const domain = canonical(body.domain);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const owner = await this.providerOwner.organization(tx, caller, body.orgId);
      const added = await this.domainsRepository.insert(
        tx,
        { id: newId(), ...owner, domain, token: randomToken() },
        caller.userId,
      );
      tx.audit({ action: 'sso.domain.create', resource: domainResource(added), ...owner });
      return domainRecordOf(added);
    });
  }
}
