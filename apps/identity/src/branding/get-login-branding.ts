import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { LoginBrandingRepository, type StoredBranding } from './login-branding.repository.ts';
import { requirePartner } from './require-partner.ts';

/** `GET /partners/me/login-branding` */
@Injectable()
export class GetLoginBranding {
  constructor(
    private readonly work: UnitOfWork,
    private readonly loginBrandingRepository: LoginBrandingRepository,
  ) {}

  execute(caller: UserCaller): Promise<StoredBranding | null> {
    const partnerId = requirePartner(caller);
    return this.work.read(caller, (reader) => this.loginBrandingRepository.find(reader, partnerId));
  }
}
