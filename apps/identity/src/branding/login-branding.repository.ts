import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { LoginBrandingEntity } from './login-branding.entity.ts';

export type Branding = Pick<LoginBrandingEntity, 'logoUrl' | 'accentColor' | 'headline'>;

const REPLACE = `
  INSERT INTO login_branding (partner_id, logo_url, accent_color, headline) VALUES ($1, $2, $3, $4)
  ON CONFLICT (partner_id) DO UPDATE SET logo_url = EXCLUDED.logo_url, accent_color = EXCLUDED.accent_color, headline = EXCLUDED.headline, updated_at = now()`;

@Injectable()
export class LoginBrandingRepository {
  async find(reader: Reader, partnerId: string): Promise<Branding | null> {
    const found = await reader.manager.findOneBy(LoginBrandingEntity, { partnerId });
    return found && { logoUrl: found.logoUrl, accentColor: found.accentColor, headline: found.headline };
  }

  async replace(tx: Tx, partnerId: string, { logoUrl, accentColor, headline }: Branding): Promise<void> {
    await tx.query(REPLACE, [partnerId, logoUrl, accentColor, headline]);
  }
}
