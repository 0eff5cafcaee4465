import { ProblemError, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { DomainRecord } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { DomainProof, type ProofVerdict } from './domain-proof.ts';
import type { DomainEntity } from './domain.entity.ts';
import { domainRecordOf, domainResource } from './domain.view.ts';
import { DomainsRepository } from './domains.repository.ts';

const WHY = {
  absent: 'The DNS record was not found, or has another value.',
  unknown: 'No name server answered for this domain. Nothing has changed; try again later.',
} as const;

/** `POST /sso/domains/:id/verify`: looks the DNS record up now, outside any transaction. */
@Injectable()
export class VerifyDomain {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domainsRepository: DomainsRepository,
    private readonly domainProof: DomainProof,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<DomainRecord> {
    requireWholeOrganization(caller);
    const known = await this.work.recalled<DomainRecord>(caller, caller.idempotency);
    if (known) return known.result;
    const domain = await this.work.read(caller, async (reader) => {
      const found = await this.domainsRepository.get(reader, caller.scope, id);
      await requireNotFrozen(reader, found.orgId);
      return found;
    });
    const verdict = await this.domainProof.look(domain);
    return verdict === 'found'
      ? this.work.once(caller, caller.idempotency, (tx) => this.record(tx, domain, verdict))
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
    const result = verdict === 'found' ? 'success' : 'failure';
    tx.audit({
      action: 'sso.domain.verify',
      resource: domainResource(domain),
      partnerId,
      orgId,
      result,
      ...(verdict === 'unknown' && { details: { unanswered: true } }),
    });
    return domainRecordOf(checked);
  }
}
