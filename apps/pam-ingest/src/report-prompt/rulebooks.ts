import { asService } from '@gatehouse/contracts-core';
import { RulebookChanged } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { compileRulebook, type Rulebook, type RulebookSource } from '@gatehouse/pam-domain';
import { type OrgOfPartner, RulebookRepository } from '@gatehouse/pam-store';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_ORGS = 10_000;
const SELF = asService('pam-ingest');

/**
 * Compiled rulebooks, one per organisation, at the newest version that this instance has heard of. Whether it is the
 * current one is not judged here but by the statement that stores a decision.
 */
@Injectable()
export class Rulebooks {
  private readonly compiled = new LRUCache<string, Rulebook>({ max: MAX_ORGS });
  private readonly loading = new Map<string, Promise<Rulebook | null>>();

  constructor(private readonly rulebooks: RulebookRepository, private readonly work: UnitOfWork, @Inject(LOGGER) private readonly log: Logger, bus: EventBus) {
    bus.listen(RulebookChanged, ({ data }) => this.forgetBelow(data.orgId, data.version));
  }

  /** Null when the rulebook cannot be read or used: a person decides then (invariant 5). */
  async get(org: OrgOfPartner): Promise<Rulebook | null> {
    return this.compiled.get(org.orgId) ?? this.loadOnce(org);
  }

  /** The version turned out to be stale. */
  forget({ orgId, version }: Rulebook): void {
    this.forgetBelow(orgId, version + 1);
  }

  private forgetBelow(orgId: string, version: number): void {
    const known = this.compiled.peek(orgId);
    if (known && known.version < version) this.compiled.delete(orgId);
  }

  private loadOnce(org: OrgOfPartner): Promise<Rulebook | null> {
    const loading = this.loading.get(org.orgId) ?? this.load(org).finally(() => this.loading.delete(org.orgId));
    this.loading.set(org.orgId, loading);
    return loading;
  }

  private async load(org: OrgOfPartner): Promise<Rulebook | null> {
    try {
      const rulebook = compileRulebook(await this.read(org));
      this.compiled.set(org.orgId, rulebook);
      return rulebook;
    } catch (error) {
      this.log.error({ err: error, orgId: org.orgId }, 'a rulebook could not be evaluated; its requests wait for a person');
      return null;
    }
  }

  private async read(org: OrgOfPartner): Promise<RulebookSource> {
    const known = await this.work.read(SELF, (reader) => this.rulebooks.load(reader, org.orgId));
    if (known) return known;
    await this.work.run(SELF, (tx) => this.rulebooks.begin(tx, org));
    const begun = await this.work.read(SELF, (reader) => this.rulebooks.load(reader, org.orgId));
    if (!begun) throw new Error(`organisation ${org.orgId} has no rulebook version`);
    return begun;
  }
}
