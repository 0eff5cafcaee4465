import { asService, type Caller } from '@gatehouse/contracts-core';
import type { SsoCheckResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { HomeRealmRepository } from './home-realm.repository.ts';
import { loginUrlOf } from './login-url.ts';

/** `GET /sso/check/:orgId`: the answer is the same for an unknown organisation and for one without single sign-on. */
@Injectable()
export class CheckOrgSso {
  constructor(
    private readonly work: UnitOfWork,
    private readonly homeRealmRepository: HomeRealmRepository,
  ) {}

  async execute(caller: Caller, orgId: string): Promise<SsoCheckResponse> {
    const found = isUUID(orgId)
      ? await this.work.read(asService('identity', caller.origin), (reader) =>
          this.homeRealmRepository.ofOrganization(reader, orgId),
        )
      : null;
    if (!found) return { ssoEnabled: false };
    const { id, name, type, enforced } = found;
    return { ssoEnabled: true, provider: { id, name, type }, enforceSSO: enforced, loginUrl: loginUrlOf(found) };
  }
}
