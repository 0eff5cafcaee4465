import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { Choice, Uuid } from '@gatehouse/contracts-core';
import type { ProviderRecord } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { providerView } from './store/provider.view.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';

export class ListProvidersQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Choice(['organization', 'partner'], { optional: true }) scope?: 'organization' | 'partner';
}

@Injectable()
export class ReadProviders {
  constructor(
    private readonly work: UnitOfWork,
    private readonly providers: SsoProvidersRepository,
  ) {}

  async list(caller: UserCaller, { orgId, scope }: ListProvidersQuery): Promise<ProviderRecord[]> {
    const { partnerId } = caller;
    if (scope === 'partner' && (caller.level !== 'partner' || !partnerId))
      throw new ProblemError('scope_denied', "The partner's own providers are listed in partner scope.");
    const rows = await this.work.read(caller, (reader) =>
      scope === 'partner'
        ? this.providers.listOfPartner(reader, partnerId ?? '')
        : this.providers.list(reader, caller.scope, orgId),
    );
    return rows.map(providerView);
  }

  async get(caller: UserCaller, id: string): Promise<ProviderRecord> {
    return providerView(await this.work.read(caller, (reader) => this.providers.get(reader, caller, id)));
  }
}
