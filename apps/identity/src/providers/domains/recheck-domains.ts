import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger, Every } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { DomainProof } from './domain-proof.ts';
import { type DomainEntity, DomainsRepository } from './domains.repository.ts';

const EVERY_MS = 10 * 60_000;

/**
 * Checks each verified domain once a day, so that an organisation that loses a domain also loses what its proof
 * allowed.
 */
@Injectable()
export class RecheckDomains {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domainsRepository: DomainsRepository,
    private readonly domainProof: DomainProof,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Every(EVERY_MS, 'daily check of proven domains')
  async recheck(): Promise<void> {
    for (const domain of await this.work.background(asService('identity'), (tx) => this.domainsRepository.takeDue(tx)))
      await this.check(domain);
  }

  private async check(domain: DomainEntity): Promise<void> {
    const verdict = await this.domainProof.look(domain);
    const { id, partnerId, orgId } = domain;
    if (verdict === 'unknown')
      this.log.warn(
        { domainId: id, domain: domain.domain },
        'no name server answered for a proven domain; trying again',
      );
    await this.work.background(asService('identity'), async (tx) => {
      if (verdict === 'unknown') return this.domainsRepository.postpone(tx, domain);
      const checked = await this.domainsRepository.checked(tx, domain, verdict);
      if (checked?.verifiedAt === null)
        tx.audit({
          action: 'sso.domain.verify',
          resource: { type: 'sso_domain', id, name: domain.domain },
          partnerId,
          orgId,
          result: 'failure',
          details: { withdrawn: true, changes: { verified: { before: true, after: false } } },
        });
    });
  }
}
