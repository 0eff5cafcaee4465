import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { ClaimedAttempt } from '../sso-login/attempts/login-sessions.repository.ts';

export interface SamlHandle {
  readonly handleHash: string;
  readonly stateHash: string;
}

const ADD = `
  INSERT INTO sso_saml_results (handle_hash, state_hash, provider_id, config_version, redirect_path, linking_user_id, identity_sealed) VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const TAKE = `
  WITH result AS (
    DELETE FROM sso_saml_results WHERE handle_hash = $1 AND state_hash = $2 AND expires_at > now()
    RETURNING provider_id, config_version AS attempt_version, redirect_path, linking_user_id, identity_sealed, '' AS nonce, '' AS code_verifier, NULL AS request_id
  )
  SELECT r.*, p.* FROM result r JOIN sso_providers p ON p.id = r.provider_id`;

/** Stores the content of a verified response until the browser returns to our own site and sends its cookie. */
@Injectable()
export class SamlResultsRepository {
  async add(tx: Tx, { handleHash, stateHash }: SamlHandle, attempt: ClaimedAttempt, sealed: string): Promise<void> {
    await tx.query(ADD, [
      handleHash,
      stateHash,
      attempt.id,
      attempt.attemptVersion,
      attempt.redirectPath,
      attempt.linkingUserId,
      sealed,
    ]);
  }

  /** Consumes the result; a result that belongs to another browser is not consumed. */
  take(
    tx: Tx,
    { handleHash, stateHash }: SamlHandle,
  ): Promise<(ClaimedAttempt & { readonly identitySealed: string }) | null> {
    return tx.one(TAKE, [handleHash, stateHash]);
  }
}
