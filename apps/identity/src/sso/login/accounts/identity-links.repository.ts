import { KeyRing, newId } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';
import { foldAscii, type Identity, mergedClaims } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import type { SsoProvider } from '../../../providers/configuration/store/sso-provider.entity.ts';
import type { PreparedRecord } from '../../../providers/attempt-log/attempts.service.ts';
import type { VerifiedAnswer } from '../oidc/oidc-engine.ts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The record that an identity at a provider belongs to a user. */
@Entity('sso_identity_links')
export class IdentityLinkEntity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') userId!: string;
  @Column('uuid') providerId!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid', { nullable: true }) orgId!: string | null;
  /** The subject at the provider. */
  @Column('varchar') externalId!: string;
  /** The address as the provider last sent it. */
  @Column('varchar') email!: string;
  @Column('text') profileSealed!: string;
  @Column('text', { nullable: true }) accessTokenSealed!: string | null;
  @Column('text', { nullable: true }) refreshTokenSealed!: string | null;
  @Column('timestamptz', { nullable: true }) tokenExpiresAt!: Date | null;
  @Column('timestamptz', { nullable: true }) lastLoginAt!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updatedAt!: Date;
  /** The subject in lower case, for links that were made before the letter case of addresses was ignored. */
  @Column('varchar', { nullable: true }) earlierEmailSubject!: string | null;
  /** True when the user proved the account for this link. */
  @Column('boolean', { default: () => 'false' }) selfLinked!: boolean;
}

export interface LinkedIdentity {
  readonly provider: Pick<SsoProvider, 'id' | 'partnerId' | 'orgId'>;
  readonly userId: string;
  readonly identity: Identity;
  readonly signIn: Omit<VerifiedAnswer, 'authentication'>;
  /** True when the user proved the account for this link; false when only the provider's claims support it. */
  readonly selfLinked: boolean;
}

const UPSERT = `
  INSERT INTO sso_identity_links (id, user_id, provider_id, partner_id, org_id, external_id, email, profile_sealed,
    access_token_sealed, refresh_token_sealed, token_expires_at, self_linked, last_login_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11), $12, now())
  ON CONFLICT ON CONSTRAINT user_has_one_identity_per_provider DO UPDATE
     SET email = EXCLUDED.email, profile_sealed = EXCLUDED.profile_sealed,
       access_token_sealed = EXCLUDED.access_token_sealed,
       refresh_token_sealed = coalesce(EXCLUDED.refresh_token_sealed, sso_identity_links.refresh_token_sealed),
       token_expires_at = EXCLUDED.token_expires_at, self_linked = sso_identity_links.self_linked
       OR EXCLUDED.self_linked, last_login_at = now(), updated_at = now()
   WHERE sso_identity_links.external_id = EXCLUDED.external_id
  RETURNING id, user_id, self_linked`;
/**
 * The sign-in has stored its session, which locks the user. A transaction that ends the link has therefore committed
 * before this statement, or waits until the sign-in has.
 */
const UPSERT_WITH_CODE = `
  WITH before AS (SELECT id FROM sso_identity_links WHERE provider_id = $3 AND user_id = $2), link AS (${UPSERT})
  INSERT INTO sso_exchange_codes (code_hash, session_id, browser_hash)
  SELECT $13, $14, $15 FROM link JOIN users u ON u.id = link.user_id AND (link.self_linked OR NOT u.break_glass)
   WHERE $17 OR link.id IN (SELECT id FROM before) RETURNING record_sso_attempt($16::jsonb) AS fault`;

export interface IssuedCode {
  readonly hash: string;
  readonly sessionId: string;
  /** The hash of the only browser value that may exchange the code. */
  readonly browserHash: string;
  /** The record of the sign-in. */
  readonly attempt: PreparedRecord;
  /** Whether the sign-in makes the link; else it enters by one that is there. */
  readonly makesLink: boolean;
}

const FIND = 'SELECT self_linked FROM sso_identity_links WHERE provider_id = $1 AND user_id = $2';

/** The encryption context of a provider's token: the provider, the user and the kind of token. */
export const linkContext =
  (what: 'profile' | 'access_token' | 'refresh_token') =>
  (providerId: string, userId: string): string =>
    `sso_identity_link:${providerId}:${userId}:${what}`;

/** SSO-24: one link per user and provider. The provider's tokens are sealed and bound to that pair. */
@Injectable()
export class IdentityLinksRepository {
  constructor(private readonly keys: KeyRing) {}

  /** The user's link at a provider. */
  find(
    reader: Reader,
    { providerId, userId }: { readonly providerId: string; readonly userId: string },
  ): Promise<Pick<IdentityLinkEntity, 'selfLinked'> | null> {
    return reader.one(FIND, [providerId, userId]);
  }

  /** @returns false when the user already has another identity at this provider */
  async save(tx: Tx, link: LinkedIdentity): Promise<boolean> {
    return (await tx.one(UPSERT, this.parametersOf(link))) !== null;
  }

  /**
   * Stores the link, the exchange code and the record of a sign-in in one statement.
   * @returns false when the user has another identity at this provider, or may not enter by this link any more: then
   * the caller must roll back
   */
  async saveWithCode(tx: Tx, link: LinkedIdentity, code: IssuedCode): Promise<boolean> {
    const { hash, sessionId, browserHash, attempt, makesLink } = code;
    const parameters = [...this.parametersOf(link), hash, sessionId, browserHash, attempt.row, makesLink];
    const saved = await tx.one<{ fault: string | null }>(UPSERT_WITH_CODE, parameters);
    attempt.written(saved?.fault ?? null);
    return saved !== null;
  }

  private parametersOf({
    provider,
    userId,
    identity,
    signIn,
    selfLinked,
  }: LinkedIdentity): (string | number | boolean | null)[] {
    const seal = (secret: string | null, what: Parameters<typeof linkContext>[0]): string | null =>
      secret === null ? null : this.keys.seal(secret, linkContext(what)(provider.id, userId));
    const profile = JSON.stringify(mergedClaims(signIn.documents));
    return [
      newId(),
      userId,
      provider.id,
      provider.partnerId,
      provider.orgId,
      identity.externalId,
      identity.email,
      seal(profile, 'profile'),
      seal(signIn.accessToken, 'access_token'),
      seal(signIn.refreshToken, 'refresh_token'),
      signIn.tokenSeconds,
      selfLinked,
    ];
  }
}

const SPELLED = `
  SELECT external_id FROM sso_identity_links
   WHERE provider_id = $1 AND (external_id IN ($2, $3) OR earlier_email_subject = $3)`;

/** Finds the subjects under which a provider's users are linked. */
@Injectable()
export class LinkedSubjectsRepository {
  /** Returns the linked subjects that equal the address when letter case is ignored. */
  async spelled(reader: Reader, providerId: string, address: string): Promise<string[]> {
    const rows = await reader.query<{ externalId: string }>(SPELLED, [providerId, address, foldAscii(address)]);
    return rows.map(({ externalId }) => externalId);
  }
}
