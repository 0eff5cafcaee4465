import type { UserCaller } from '@gatehouse/contracts-core';
import type { ProviderRecord } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { providerRecordOf } from './store/provider.view.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';

/** `GET /sso/providers/:id` */
@Injectable()
export class GetProvider {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
  ) {}

  async execute(caller: UserCaller, id: string): Promise<ProviderRecord> {
    return providerRecordOf(
      await this.work.read(caller, (reader) => this.ssoProvidersRepository.get(reader, caller, id)),
    );
  }
}
