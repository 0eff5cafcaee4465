import type { UserCaller } from '@gatehouse/contracts-core';
import type { EnforcementPreviewResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireMayChange } from './settings/provider-owner.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';
import { EnforcementRepository } from '../enforcement/enforcement.repository.ts';

/**
 * `GET /sso/providers/:id/enforcement-preview`: lists the users in the caller's reach whom enforcement would govern,
 * and counts those without an identity link.
 */
@Injectable()
export class PreviewEnforcement {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly enforcementRepository: EnforcementRepository,
  ) {}

  execute(caller: UserCaller, id: string): Promise<EnforcementPreviewResponse> {
    return this.work.read(caller, async (reader) => {
      const provider = await this.ssoProvidersRepository.get(reader, caller, id);
      requireMayChange(caller, provider);
      const users = await this.enforcementRepository.governedBy(reader, provider, caller.scope);
      return {
        data: {
          tested: provider.testedVersion === provider.configVersion,
          users,
          withoutLink: users.filter(({ linked }) => !linked).length,
        },
      };
    });
  }
}
