import { KeyRing, randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ofOpenOwner } from '../../../tenants/tenant-refs/tenant-refs.repository.ts';
import type { SsoProvider } from '../../../providers/configuration/store/sso-provider.entity.ts';
import type { ClaimedAttempt } from '../attempts/login-sessions.repository.ts';
import type { VerifiedAnswer } from '../oidc/oidc-engine.ts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An identity that waits for its user to prove the account. */
@Entity('sso_parked_links')
export class ParkedLinkEntity {
  @PrimaryColumn('char') tokenHash!: string;
  @Column('uuid') providerId!: string;
  /** The provider's configuration generation when the link was parked. */
  @Column('integer') configVersion!: number;
  @Column('uuid') userId!: string;
  /** The provider's verified answer, bound to the token. */
  @Column('text') identitySealed!: string;
  @Column('timestamptz', { default: () => "(now() + '00:10:00'::interval)" }) expiresAt!: Date;
}

export interface ParkedLink {
  readonly userId: string;
  readonly attempt: Pick<ClaimedAttempt, 'id' | 'configVersion'>;
  readonly signIn: VerifiedAnswer;
  /** The reference of the sign-in that was parked. */
  readonly attemptId: string;
}

/** A parked link that its user has not proved yet. */
export type WaitingLink = Pick<ParkedLinkEntity, 'userId' | 'providerId'>;

export interface ClaimedParkedLink {
  readonly provider: SsoProvider;
  readonly signIn: VerifiedAnswer;
  /** Null for one that the release before parked. */
  readonly attemptId: string | null;
}

type Sealed = VerifiedAnswer & Partial<Pick<ParkedLink, 'attemptId'>>;

const WAITING = 'SELECT user_id, provider_id FROM sso_parked_links WHERE token_hash = $1 AND expires_at > now()';
const TAKE = `
  WITH parked AS (DELETE FROM sso_parked_links WHERE token_hash = $1 AND expires_at > now()
    RETURNING provider_id, config_version AS parked_version, identity_sealed)
  SELECT k.identity_sealed, p.* FROM parked k JOIN sso_providers p ON p.id = k.provider_id AND p.status = 'active'
    AND p.config_version = k.parked_version AND ${ofOpenOwner('p')}
     FOR KEY SHARE OF p`;
export const parkedLinkContext = (tokenHash: string): string => `sso_parked_link:${tokenHash}`;

/** Stores identities that wait until the user with that mail address has proved the account. */
@Injectable()
export class ParkedLinksRepository {
  constructor(private readonly keyRing: KeyRing) {}

  /** @returns the token, which only this browser receives */
  async insert(tx: Tx, { userId, attempt, signIn, attemptId }: ParkedLink): Promise<string> {
    const token = randomToken();
    const tokenHash = sha256Hex(token);
    const { id: providerId, configVersion } = attempt;
    const identitySealed = this.keyRing.seal(JSON.stringify({ ...signIn, attemptId }), parkedLinkContext(tokenHash));
    await tx.manager.insert(ParkedLinkEntity, { tokenHash, providerId, configVersion, userId, identitySealed });
    return token;
  }

  find(reader: Reader, tokenHash: string): Promise<WaitingLink | null> {
    return reader.one<WaitingLink>(WAITING, [tokenHash]);
  }

  /** Consumes the link; returns null when it is gone, its provider has changed or its owner was closed. */
  async take(tx: Tx, tokenHash: string): Promise<ClaimedParkedLink | null> {
    const row = await tx.one<SsoProvider & Pick<ParkedLinkEntity, 'identitySealed'>>(TAKE, [tokenHash]);
    if (!row) return null;
    const opened = this.keyRing.open(row.identitySealed, parkedLinkContext(tokenHash));
    const { attemptId = null, ...signIn } = JSON.parse(opened) as Sealed;
    return { provider: row, signIn, attemptId };
  }
}
