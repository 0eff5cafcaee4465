import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A partner's branding of the login page. */
@Entity('login_branding')
export class LoginBrandingEntity {
  @PrimaryColumn('uuid') partnerId!: string;
  /** An https address, or an image as a data URI. */
  @Column('text', { nullable: true }) logoUrl!: string | null;
  /** A colour as `#rrggbb`. */
  @Column({ type: 'char', nullable: true }) accentColor!: string | null;
  @Column('varchar', { nullable: true }) headline!: string | null;
  /** Counts the changes. */
  @Column('integer', { default: () => '1' }) version!: number;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
}

export type Branding = Pick<LoginBrandingEntity, 'logoUrl' | 'accentColor' | 'headline'>;
export type StoredBranding = Branding & Pick<LoginBrandingEntity, 'version'>;

const REPLACE = `
  INSERT INTO login_branding (partner_id, logo_url, accent_color, headline) VALUES ($1, $2, $3, $4)
  ON CONFLICT (partner_id) DO UPDATE
    SET logo_url = EXCLUDED.logo_url, accent_color = EXCLUDED.accent_color, headline = EXCLUDED.headline,
        version = login_branding.version + 1, updated_at = now()
  RETURNING logo_url, accent_color, headline, version`;

@Injectable()
export class LoginBrandingRepository {
  async find(reader: Reader, partnerId: string): Promise<StoredBranding | null> {
    const found = await reader.manager.findOneBy(LoginBrandingEntity, { partnerId });
    if (!found) return null;
    const { logoUrl, accentColor, headline, version } = found;
    return { logoUrl, accentColor, headline, version };
  }

  /** Locks the partner's row, so concurrent replacements run one after the other. */
  async replace(tx: Tx, partnerId: string, { logoUrl, accentColor, headline }: Branding): Promise<StoredBranding> {
    const [saved] = await tx.query<StoredBranding>(REPLACE, [partnerId, logoUrl, accentColor, headline]);
    return saved!;
  }
}
