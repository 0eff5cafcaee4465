import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import type { Rulebook, RulebookSource } from '@gatehouse/pam-domain';
import { CompiledRulebooks, type OrgOfPartner, RulebookRepository } from '@gatehouse/pam-store';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';

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

/**
 * Supplies rulebooks for deciding reports. They may be stale; the statement that stores the decision checks the
 * version.
 */
@Injectable()
export class Rulebooks {
  private readonly loading = new Map<string, Promise<Rulebook | null>>();

  constructor(
    private readonly readRulebook: ReadRulebook,
    private readonly compiled: CompiledRulebooks,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Null when the rulebook cannot be loaded or compiled; a technician then decides (invariant 5). */
  async get(org: OrgOfPartner): Promise<Rulebook | null> {
    return this.compiled.get(org.orgId) ?? this.loadOnce(org);
  }

  /** False while the organisation reloads its rulebook too often; a technician then decides. */
  mayGet({ orgId }: OrgOfPartner): boolean {
    return this.compiled.get(orgId) !== null || this.compiled.mayCompile(orgId);
  }

  /** Drops a version that proved stale. */
  forget({ orgId, version }: Rulebook): void {
    this.compiled.forgetBelow(orgId, version + 1);
  }

  private loadOnce(org: OrgOfPartner): Promise<Rulebook | null> {
    const loading = this.loading.get(org.orgId) ?? this.load(org).finally(() => this.loading.delete(org.orgId));
    this.loading.set(org.orgId, loading);
    return loading;
  }

  private async load(org: OrgOfPartner): Promise<Rulebook | null> {
    try {
      return this.compiled.compile(await this.readRulebook.read(org));
    } catch (error) {
      this.log.error({ err: error, orgId: org.orgId }, 'a rulebook could not be read; its requests wait for a person');
      return null;
    }
  }
}
