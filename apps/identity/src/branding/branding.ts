import { hasPartnerWidePolicyRights, invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { LoginBrandingDto } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { isLogo } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';

const READ = 'SELECT logo_url, accent_color, headline FROM login_branding WHERE partner_id = $1';
const REPLACE = `
  INSERT INTO login_branding (partner_id, logo_url, accent_color, headline) VALUES ($1, $2, $3, $4)
  ON CONFLICT (partner_id) DO UPDATE SET logo_url = EXCLUDED.logo_url, accent_color = EXCLUDED.accent_color, headline = EXCLUDED.headline, updated_at = now()
  RETURNING logo_url, accent_color, headline`;

const partnerOf = ({ partnerId }: UserCaller): string => {
  if (!partnerId) throw new ProblemError('partner_context_required', 'This needs a session of a partner.');
  return partnerId;
};

@Injectable()
export class ReadBranding {
  constructor(private readonly work: UnitOfWork) {}

  execute(caller: UserCaller): Promise<LoginBrandingDto | null> {
    return this.work.read(caller, (reader) => reader.one<LoginBrandingDto>(READ, [partnerOf(caller)]));
  }
}

/** `PUT /partners/me/login-branding`: replaces the whole branding; omitted members are cleared. */
@Injectable()
export class ReplaceBranding {
  constructor(private readonly work: UnitOfWork) {}

  execute(caller: UserCaller, { logoUrl, accentColor, headline }: LoginBrandingDto): Promise<LoginBrandingDto | null> {
    if (!hasPartnerWidePolicyRights(caller))
      throw new ProblemError('permission_denied', 'This needs rights over the whole partner.');
    if (logoUrl && !isLogo(logoUrl))
      throw invalid('logoUrl', 'must be an https address, or a PNG, JPEG or WebP image as a base64 data URI');
    return this.work.run(caller, async (tx) => {
      const partnerId = partnerOf(caller);
      const stored = await tx.one<LoginBrandingDto>(REPLACE, [
        partnerId,
        logoUrl || null,
        accentColor || null,
        headline?.trim() || null,
      ]);
      const set = Object.entries({ logoUrl, accentColor, headline })
        .filter(([, value]) => value)
        .map(([name]) => name);
      tx.audit({
        action: 'partner.login_branding.update',
        resource: { type: 'partner', id: partnerId },
        details: { set },
      });
      return stored;
    });
  }
}
