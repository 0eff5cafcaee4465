import type { Tx } from '@gatehouse/database';
import type { Rulebook, RulebookSource } from '@gatehouse/pam-domain';
import { CompiledRulebooks, type OrgOfPartner, RulebookRepository } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';

/** What decides an organisation's requests until the transaction ends. */
export interface HeldRulebook {
  readonly version: number;
  /** Null when it cannot be used: a person decides then (invariant 5). */
  readonly rulebook: Rulebook | null;
}

/**
 * Rulebooks that cannot change before the decision is committed. One that was compiled before serves again while its
 * version is the current one.
 */
@Injectable()
export class HeldRulebooks {
  constructor(
    private readonly rulebooks: RulebookRepository,
    private readonly compiled: CompiledRulebooks,
  ) {}

  async hold(tx: Tx, org: OrgOfPartner): Promise<HeldRulebook> {
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
    // Others may have read it at the same time: it is compiled for the first of them.
    return this.known(org, version) ?? this.compiled.compile(source);
  }

  private known({ orgId }: OrgOfPartner, version: number): Rulebook | null {
    const rulebook = this.compiled.get(orgId);
    return rulebook?.version === version ? rulebook : null;
  }
}
