import { asService, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { SYSTEM_CHAIN } from '../chain/link.ts';
import { OrganizationsRepository } from '../organizations/organizations.repository.ts';

/** Extends a caller's reach by the organisations that were merged into organisations of that reach. */
@Injectable()
export class Reach {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizations: OrganizationsRepository,
  ) {}

  /** The caller, with the merged organisations added to the scope. */
  async withMerged(caller: UserCaller): Promise<UserCaller> {
    const { orgs } = caller.scope;
    if (orgs === 'all' || orgs.size === 0) return caller;
    return { ...caller, scope: { ...caller.scope, orgs: new Set(await this.lineageOf(caller, [...orgs])) } };
  }

  /** The organisation and all organisations that were merged into it. */
  organization(caller: UserCaller, orgId: string): Promise<string[]> {
    return this.lineageOf(caller, [orgId]);
  }

  /** Read as the service, because the caller's scope does not contain the merged organisations yet. */
  private async lineageOf({ origin }: UserCaller, orgIds: string[]): Promise<string[]> {
    const merged = await this.work.read(asService('audit', origin), (reader) =>
      this.organizations.mergedInto(reader, orgIds),
    );
    return [...orgIds, ...merged];
  }
}

export const noSuchChain = (): ProblemError => new ProblemError('partner_not_found', 'There is no such chain.');

/**
 * The requested chain: a partner's caller has only the partner's chain, the system any.
 * @throws ProblemError partner_not_found for another partner's chain
 */
export function chainFor({ level, partnerId }: UserCaller, asked: string | undefined): string {
  const own = partnerId ?? SYSTEM_CHAIN;
  const chain = asked?.toLowerCase() ?? own;
  if (chain !== own && level !== 'system') throw noSuchChain();
  return chain;
}
