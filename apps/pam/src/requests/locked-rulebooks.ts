import type { Tx } from '@gatehouse/database';
import type { Rulebook, RulebookSource } from '@gatehouse/pam-domain';
import { CompiledRulebooks, type OrgOfPartner, RulebookRepository } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';

/** An organisation's rulebook, locked against changes until the transaction ends. */
export interface LockedRulebook {
  readonly version: number;
  /** Null when the rulebook cannot be compiled; a technician then decides (invariant 5). */
  readonly rulebook: Rulebook | null;
}

/**
 * Locks an organisation's rulebook until the decision is committed. A compiled rulebook is reused while its version is
 * current.
 */
@Injectable()
export class LockedRulebooks {
  constructor(
    private readonly rulebooks: RulebookRepository,
    private readonly compiled: CompiledRulebooks,
  ) {}

  async hold(tx: Tx, org: OrgOfPartner): Promise<LockedRulebook> {
    const version = await this.rulebooks.hold(tx, org);
    return {
      version,
      rulebook:
        this.known(org, version) ?? (this.compiled.mayCompile(org.orgId) ? await this.load(tx, org, version) : null),
    };
  }

  private async load(tx: Tx, org: OrgOfPartner, version: number): Promise<Rulebook | null> {
    const source: RulebookSource | null = await this.rulebooks.load(tx, org.orgId);
    if (source?.version !== version)
      throw new Error(`the rulebook of organisation ${org.orgId} changed while it was held`);
    // Concurrent transactions may have loaded the same version; only the first one compiles it.
    return this.known(org, version) ?? this.compiled.compile(source);
  }

  private known({ orgId }: OrgOfPartner, version: number): Rulebook | null {
    const rulebook = this.compiled.get(orgId);
    return rulebook?.version === version ? rulebook : null;
  }
}
