import {
  changesOf,
  invalid,
  mailDomainOf,
  ProblemError,
  requireWholeOrganization,
  type UserCaller,
  Uuid,
} from '@gatehouse/contracts-core';
import type { CreateDomainDto, DomainRecord } from '@gatehouse/contracts-identity';
import { newId, randomToken } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { ProviderOwner } from '../configuration/settings/provider-owner.ts';
import { requireNotFrozen } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { DomainProof, type ProofVerdict, recordNameOf, recordValueOf } from './domain-proof.ts';
import { type DomainEntity, DomainsRepository } from './domains.repository.ts';

export const domainRecordOf = ({
  id,
  orgId,
  domain,
  token,
  verifiedAt,
  lastCheckedAt,
}: DomainEntity): DomainRecord => ({
  id,
  orgId,
  domain,
  verified: verifiedAt !== null,
  verifiedAt: verifiedAt?.toISOString() ?? null,
  lastCheckedAt: lastCheckedAt?.toISOString() ?? null,
  recordName: recordNameOf(domain),
  recordValue: recordValueOf(token),
});

/** The fields of a domain that carry authority. */
const DOMAIN_FIELDS = ['domain', 'verified'];

/** The resource of audit entries about a domain. */
const domainResource = ({ id, domain }: DomainEntity) => ({ type: 'sso_domain', id, name: domain });

const MAX_DOMAIN = 253;

/** Returns the domain in the form that mail addresses use. Public suffixes are rejected. */
function canonical(written: string): string {
  const domain = mailDomainOf(written);
  if (!domain || domain.length > MAX_DOMAIN || !getDomain(domain))
    throw invalid('domain', 'must be a domain that can be registered, such as example.com');
  return domain;
}

const WHY = {
  absent: 'The DNS record was not found, or has another value.',
  unknown: 'No name server answered for this domain. Nothing has changed; try again later.',
} as const;

export class ListDomainsQuery {
  @Uuid({ optional: true }) orgId?: string;
}

@Injectable()
export class DomainsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domainsRepository: DomainsRepository,
    private readonly providerOwner: ProviderOwner,
    private readonly domainProof: DomainProof,
  ) {}

  async list(caller: UserCaller, { orgId }: ListDomainsQuery): Promise<DomainRecord[]> {
    const domains = await this.work.read(caller, (reader) => this.domainsRepository.list(reader, caller.scope, orgId));
    return domains.map(domainRecordOf);
  }

  /** `POST /sso/domains`: adds an unverified domain to an organisation. */
  create(caller: UserCaller, body: CreateDomainDto): Promise<DomainRecord> {
    const domain = canonical(body.domain);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const owner = await this.providerOwner.organization(tx, caller, body.orgId);
      const added = await this.domainsRepository.insert(
        tx,
        { id: newId(), ...owner, domain, token: randomToken() },
        caller.userId,
      );
      const details = { changes: changesOf(null, domainRecordOf(added), DOMAIN_FIELDS) };
      tx.audit({ action: 'sso.domain.create', resource: domainResource(added), ...owner, details });
      return domainRecordOf(added);
    });
  }

  delete(caller: UserCaller, id: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      const domain = await this.domainsRepository.get(tx, caller.scope, id);
      requireWholeOrganization(caller);
      await requireNotFrozen(tx, domain.orgId);
      await this.domainsRepository.delete(tx, domain);
      tx.audit({
        action: 'sso.domain.delete',
        resource: domainResource(domain),
        partnerId: domain.partnerId,
        orgId: domain.orgId,
        details: { changes: changesOf(domainRecordOf(domain), null, DOMAIN_FIELDS) },
      });
      return { success: true };
    });
  }

  /** `POST /sso/domains/:id/verify`: looks the DNS record up now, outside any transaction. */
  async verify(caller: UserCaller, id: string): Promise<DomainRecord> {
    const known = await this.work.recalled<DomainRecord>(caller, caller.idempotency);
    if (known) return known.result;
    const domain = await this.work.read(caller, async (reader) => {
      const found = await this.domainsRepository.get(reader, caller.scope, id);
      requireWholeOrganization(caller);
      await requireNotFrozen(reader, found.orgId);
      return found;
    });
    const verdict = await this.domainProof.look(domain);
    return verdict === 'found'
      ? this.work.once(caller, caller.idempotency, async (tx) => {
          await requireNotFrozen(tx, domain.orgId);
          return this.record(tx, domain, verdict);
        })
      : this.refuse(caller, domain, verdict);
  }

  /** A failed check is not stored for idempotent retries, because a retry must query DNS again. */
  private async refuse(
    caller: UserCaller,
    domain: DomainEntity,
    verdict: Exclude<ProofVerdict, 'found'>,
  ): Promise<never> {
    const { recordName, recordValue } = await this.work.run(caller, (tx) => this.record(tx, domain, verdict));
    throw new ProblemError('domain_not_verified', WHY[verdict], { recordName, recordValue });
  }

  private async record(tx: Tx, domain: DomainEntity, verdict: ProofVerdict): Promise<DomainRecord> {
    const checked = verdict === 'unknown' ? domain : await this.domainsRepository.checked(tx, domain, verdict);
    if (!checked) throw new ProblemError('sso_domain_not_found', 'There is no such domain.');
    const { partnerId, orgId } = domain;
    const changes = changesOf(domainRecordOf(domain), domainRecordOf(checked), DOMAIN_FIELDS);
    tx.audit({
      action: 'sso.domain.verify',
      resource: domainResource(domain),
      partnerId,
      orgId,
      ...(verdict === 'found'
        ? { result: 'success', details: { changes } }
        : { result: 'failure', details: verdict === 'unknown' ? { unanswered: true } : { changes } }),
    });
    return domainRecordOf(checked);
  }
}
