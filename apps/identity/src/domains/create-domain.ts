import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateDomainDto, DomainRecord } from '@gatehouse/contracts-identity';
import { newId, randomToken } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { domainToASCII } from 'node:url';
import { ProviderOwner } from '../sso-providers/settings/provider-owner.ts';
import { domainRecordOf, domainResource } from './domain.view.ts';
import { DomainsRepository } from './domains.repository.ts';

/**
 * Letters, digits, hyphens and dots only: `domainToASCII` parses a whole address and would drop a path, query or port.
 */
const WRITTEN = /^[\p{L}\p{M}\p{Nd}.-]+$/u;

/** Returns the domain in the form that mail addresses use. Public suffixes are rejected. */
function canonical(domain: string): string {
  const written = domain.trim().replace(/\.$/, '');
  const ascii = WRITTEN.test(written) ? domainToASCII(written).toLowerCase() : '';
  if (!/^[a-z0-9.-]{3,253}$/.test(ascii) || !getDomain(ascii))
    throw invalid('domain', 'must be a domain that can be registered, such as example.com');
  return ascii;
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
