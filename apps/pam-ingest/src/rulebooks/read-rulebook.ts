import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import type { RulebookSource } from '@gatehouse/pam-domain';
import { type OrgOfPartner, RulebookRepository } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';

const SELF = asService('pam-ingest');

/** Reads an organisation's rules from the database, and gives them their first version if they have none. */
@Injectable()
export class ReadRulebook {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rulebooks: RulebookRepository,
  ) {}

  async read(org: OrgOfPartner): Promise<RulebookSource> {
    const known = await this.load(org);
    if (known) return known;
    await this.work.background(SELF, (tx) => this.rulebooks.begin(tx, org));
    const begun = await this.load(org);
    if (!begun) throw new Error(`organisation ${org.orgId} has no rulebook version`);
    return begun;
  }

  private load({ orgId }: OrgOfPartner): Promise<RulebookSource | null> {
    return this.work.backgroundRead(SELF, (reader) => this.rulebooks.load(reader, orgId));
  }
}
