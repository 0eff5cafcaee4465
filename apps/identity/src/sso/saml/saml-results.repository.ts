import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { RoundTripPurpose } from '../login/attempts/login-session.entity.ts';
import type { ClaimedAttempt } from '../login/attempts/login-sessions.repository.ts';

/** The content of a verified SAML response, until the browser returns to our site and sends its cookie. */
@Entity('sso_saml_results')
export class SamlResultEntity extends RoundTripPurpose {
  @PrimaryColumn('char') handleHash!: string;
  @Column('char') stateHash!: string;
  @Column('uuid') providerId!: string;
  /** The provider's configuration generation when the attempt began. */
  @Column('integer') configVersion!: number;
  @Column('varchar') redirectPath!: string;
  @Column('uuid', { nullable: true }) linkingUserId!: string | null;
  /** What the response says about the user, bound to its handle. */
  @Column('text') identitySealed!: string;
  @Column('timestamptz', { default: () => "(now() + '00:02:00'::interval)" }) expiresAt!: Date;
}

export interface SamlHandle {
  readonly handleHash: string;
  readonly stateHash: string;
}

/** A claimed attempt with the sealed content of its verified response. */
export type SamlResult = ClaimedAttempt & Pick<SamlResultEntity, 'handleHash' | 'identitySealed'>;

/** The encryption context of a stored response. */
export const samlResultContext = (handleHash: string): string => `sso_saml_result:${handleHash}`;

const TAKE = `
  WITH result AS (
    DELETE FROM sso_saml_results WHERE handle_hash = $1 AND state_hash = $2 AND expires_at > now()
    RETURNING handle_hash, provider_id, config_version AS attempt_version, redirect_path, linking_user_id,
      purpose, attempt_id, started_by, setup_link_id, identity_sealed, '' AS nonce, '' AS code_verifier, NULL AS request_id
  )
  SELECT r.*, p.* FROM result r JOIN sso_providers p ON p.id = r.provider_id`;

/** Stores the content of a verified response until the browser returns to our own site and sends its cookie. */
@Injectable()
export class SamlResultsRepository {
  async insert(tx: Tx, { handleHash, stateHash }: SamlHandle, attempt: ClaimedAttempt, sealed: string): Promise<void> {
    const { id: providerId, attemptVersion: configVersion, redirectPath, linkingUserId } = attempt;
    const { purpose, attemptId, startedBy, setupLinkId } = attempt;
    const content = { providerId, configVersion, redirectPath, linkingUserId, identitySealed: sealed };
    const test = { purpose, attemptId, startedBy, setupLinkId };
    await tx.manager.insert(SamlResultEntity, { handleHash, stateHash, ...content, ...test });
  }

  /** Consumes the result; a result that belongs to another browser is not consumed. */
  take(tx: Tx, { handleHash, stateHash }: SamlHandle): Promise<SamlResult | null> {
    return tx.one<SamlResult>(TAKE, [handleHash, stateHash]);
  }
}
