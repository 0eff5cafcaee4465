import { Choice, ProblemError, type UserCaller, Uuid } from '@gatehouse/contracts-core';
import type { ProviderRecord } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { providerRecordOf } from './store/provider.view.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';

export class ListProvidersQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Choice(['organization', 'partner'], { optional: true }) scope?: 'organization' | 'partner';
}

@Injectable()
export class ListProviders {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
  ) {}

  async list(caller: UserCaller, { orgId, scope }: ListProvidersQuery): Promise<ProviderRecord[]> {
    const { partnerId } = caller;
    if (scope === 'partner' && (caller.level !== 'partner' || !partnerId))
      throw new ProblemError('scope_denied', "The partner's own providers are listed in partner scope.");
    const rows = await this.work.read(caller, (reader) =>
      scope === 'partner'
        ? this.ssoProvidersRepository.listOfPartner(reader, partnerId ?? '')
        : this.ssoProvidersRepository.list(reader, caller.scope, orgId),
    );
    return rows.map(providerRecordOf);
  }
}
