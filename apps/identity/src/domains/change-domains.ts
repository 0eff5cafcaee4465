import { invalid, ProblemError, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateDomainDto, DomainRecord } from '@gatehouse/contracts-identity';
import { newId, randomToken } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { domainToASCII } from 'node:url';
import { ProviderOwner } from '../sso-providers/settings/provider-owner.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { DomainProof, type ProofVerdict } from './domain-proof.ts';
import { DomainsRepository, domainView, type SsoDomain } from './domains.repository.ts';

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

const WHY = {
  absent: 'The DNS record was not found, or has another value.',
  unknown: 'No name server answered for this domain. Nothing has changed; try again later.',
} as const;

const resourceOf = ({ id, domain }: SsoDomain) => ({ type: 'sso_domain', id, name: domain });

@Injectable()
export class CreateDomain {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domains: DomainsRepository,
    private readonly owners: ProviderOwner,
  ) {}

  execute(caller: UserCaller, body: CreateDomainDto): Promise<DomainRecord> {
    const domain = canonical(body.domain);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const owner = await this.owners.organization(tx, caller, body.orgId);
      const added = await this.domains.add(tx, { id: newId(), ...owner, domain, token: randomToken() }, caller.userId);
      tx.audit({ action: 'sso.domain.create', resource: resourceOf(added), ...owner });
      return domainView(added);
    });
  }
}

/** `POST /sso/domains/:id/verify`: looks the DNS record up now, outside any transaction. */
@Injectable()
export class VerifyDomain {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domains: DomainsRepository,
    private readonly proof: DomainProof,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<DomainRecord> {
    requireWholeOrganization(caller);
    const known = await this.work.recalled<SsoDomain>(caller, caller.idempotency);
    if (known) return domainView(known.result);
    const domain = await this.work.read(caller, async (reader) => {
      const found = await this.domains.get(reader, caller.scope, id);
      await requireNotFrozen(reader, found.orgId);
      return found;
    });
    const verdict = await this.proof.look(domain);
    return verdict === 'found'
      ? domainView(await this.work.once(caller, caller.idempotency, (tx) => this.record(tx, domain, verdict)))
      : this.refuse(caller, domain, verdict);
  }

  /** A failed check is not stored for idempotent retries, because a retry must query DNS again. */
  private async refuse(caller: UserCaller, domain: SsoDomain, verdict: Exclude<ProofVerdict, 'found'>): Promise<never> {
    const { recordName, recordValue } = domainView(
      await this.work.run(caller, (tx) => this.record(tx, domain, verdict)),
    );
    throw new ProblemError('domain_not_verified', WHY[verdict], { recordName, recordValue });
  }

  private async record(tx: Tx, domain: SsoDomain, verdict: ProofVerdict): Promise<SsoDomain> {
    const checked = verdict === 'unknown' ? domain : await this.domains.checked(tx, domain, verdict);
    if (!checked) throw new ProblemError('sso_domain_not_found', 'There is no such domain.');
    const { partnerId, orgId } = domain;
    const result = verdict === 'found' ? 'success' : 'failure';
    tx.audit({
      action: 'sso.domain.verify',
      resource: resourceOf(domain),
      partnerId,
      orgId,
      result,
      ...(verdict === 'unknown' && { details: { unanswered: true } }),
    });
    return checked;
  }
}

@Injectable()
export class DeleteDomain {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domains: DomainsRepository,
  ) {}

  execute(caller: UserCaller, id: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      const domain = await this.domains.get(tx, caller.scope, id);
      requireWholeOrganization(caller);
      await requireNotFrozen(tx, domain.orgId);
      await this.domains.delete(tx, domain);
      tx.audit({
        action: 'sso.domain.delete',
        resource: resourceOf(domain),
        partnerId: domain.partnerId,
        orgId: domain.orgId,
      });
      return { success: true };
    });
  }
}
