import { asService, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { compileRulebook, type Rulebook, type RulebookSource } from '@gatehouse/pam-domain';
import { CompiledRulebooks, type OrgOfPartner, RulebookRepository } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';

const SELF = asService('pam');

export interface ExplainedRulebook {
  readonly version: number;
  /** Null when it cannot be compiled. */
  readonly rulebook: Rulebook | null;
}

function compiledOrNull(source: RulebookSource): Rulebook | null {
  try {
    return compileRulebook(source);
  } catch {
    return null;
  }
}

/** Supplies the rulebooks under which decisions are explained. */
@Injectable()
export class ExplainedRulebooks {
  constructor(
    private readonly work: UnitOfWork,
    private readonly rulebooks: RulebookRepository,
    private readonly compiled: CompiledRulebooks,
  ) {}

  async current(caller: UserCaller, org: OrgOfPartner): Promise<ExplainedRulebook> {
    const version = await this.versionOf(caller, org);
    const known = this.compiled.get(org.orgId);
    if (known?.version === version) return { version, rulebook: known };
    const source = await this.work.read(caller, (reader) => this.rulebooks.load(reader, org.orgId));
    return source ? { version: source.version, rulebook: compiledOrNull(source) } : { version, rulebook: null };
  }

  /** Null when the version is not remembered. */
  async former(caller: UserCaller, { orgId }: OrgOfPartner, version: number): Promise<ExplainedRulebook | null> {
    const source = await this.work.read(caller, (reader) => this.rulebooks.loadFormer(reader, orgId, version));
    return source && { version, rulebook: compiledOrNull(source) };
  }

  private async versionOf(caller: UserCaller, org: OrgOfPartner): Promise<number> {
    const known = await this.work.read(caller, (reader) => this.rulebooks.version(reader, org.orgId));
    if (known !== null) return known;
    await this.work.background(SELF, (tx) => this.rulebooks.begin(tx, org));
    return (await this.work.read(caller, (reader) => this.rulebooks.version(reader, org.orgId))) ?? 1;
  }
}
