import {
  hasPartnerWidePolicyRights,
  invalid,
  ProblemError,
  requireVersion,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type { LoginBrandingDto } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { isLogo } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { LoginBrandingRepository, type StoredBranding } from './login-branding.repository.ts';

/** @throws ProblemError partner_context_required for a session without a partner */
function requirePartner({ partnerId }: UserCaller): string {
  if (!partnerId) throw new ProblemError('partner_context_required', 'This requires a partner session.');
  return partnerId;
}

@Injectable()
export class BrandingService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly loginBrandingRepository: LoginBrandingRepository,
  ) {}

  /** `GET /partners/me/login-branding` */
  getLoginBranding(caller: UserCaller): Promise<StoredBranding | null> {
    const partnerId = requirePartner(caller);
    return this.work.read(caller, (reader) => this.loginBrandingRepository.find(reader, partnerId));
  }

  /** `PUT /partners/me/login-branding`: replaces the whole branding; omitted members are cleared. */
  replaceLoginBranding(
    caller: UserCaller,
    { logoUrl, accentColor, headline }: LoginBrandingDto,
  ): Promise<StoredBranding> {
    if (!hasPartnerWidePolicyRights(caller))
      throw new ProblemError('permission_denied', 'This requires access to the whole partner.');
    if (logoUrl && !isLogo(logoUrl))
      throw invalid('logoUrl', 'must be an https address, or a PNG, JPEG or WebP image as a base64 data URI');
    return this.work.run(caller, async (tx) => {
      const partnerId = requirePartner(caller);
      const branding = {
        logoUrl: logoUrl || null,
        accentColor: accentColor || null,
        headline: headline?.trim() || null,
      };
      const stored = await this.loginBrandingRepository.replace(tx, partnerId, branding);
      // There may have been no row to lock before it was replaced.
      requireVersion(caller, stored.version - 1);
      const set = Object.entries({ logoUrl, accentColor, headline })
        .filter(([, value]) => value)
        .map(([name]) => name);
      tx.audit({
        action: 'partner.login_branding.update',
        resource: { type: 'partner', id: partnerId },
        details: { set, version: stored.version },
      });
      return stored;
    });
  }
}
