import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { onConstraint, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { isByProvider } from '../../people/factors.repository.ts';
import type { Passkey } from './relying-party.ts';

/** A pending registration of a passkey, or a pending step-up with one. */
@Entity('webauthn_ceremonies')
export class WebauthnCeremonyEntity {
  @PrimaryColumn('uuid') userId!: string;
  @PrimaryColumn('text') purpose!: 'register' | 'step_up';
  @Column('text') challenge!: string;
  @Column('timestamptz') expiresAt!: Date;
}

const FIELDS = 'id, credential_id, public_key, counter, transports';
const LIST = `SELECT ${FIELDS} FROM mfa_factors WHERE user_id = $1 AND kind = 'webauthn' ORDER BY created_at`;
const FIND = `SELECT ${FIELDS} FROM mfa_factors WHERE user_id = $1 AND credential_id = $2`;
const INSERT = `
  INSERT INTO mfa_factors (id, user_id, kind, name, credential_id, public_key, counter, transports, confirmed_at,
    by_provider)
  VALUES ($1, $2, 'webauthn', $3, $4, $5, $6, $7, now(), ${isByProvider('$2', '$8')})`;
const USE = `
  UPDATE mfa_factors SET counter = $2, last_used_at = now()
   WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`;
const BEGIN = `
  INSERT INTO webauthn_ceremonies (user_id, purpose, challenge, expires_at)
    VALUES ($1, $2, $3, now() + interval '5 minutes')
  ON CONFLICT (user_id, purpose) DO UPDATE SET challenge = EXCLUDED.challenge, expires_at = EXCLUDED.expires_at`;
const PENDING = `
  SELECT challenge FROM webauthn_ceremonies WHERE user_id = $1 AND purpose = $2 AND expires_at > now()`;
const END = `
  DELETE FROM webauthn_ceremonies WHERE user_id = $1 AND purpose = $2 AND challenge = $3 AND expires_at > now()
    RETURNING user_id`;
const alreadyRegistered = onConstraint({
  factor_credential_unique: () => new ProblemError('factor_exists', 'This passkey is already registered.'),
});

type Purpose = WebauthnCeremonyEntity['purpose'];
export type StoredPasskey = Passkey & { readonly id: string };

/** Stored passkeys, and the pending registration and step-up ceremonies. */
@Injectable()
export class PasskeysRepository {
  list(reader: Reader, userId: string): Promise<StoredPasskey[]> {
    return reader.query<StoredPasskey>(LIST, [userId]);
  }

  find(reader: Reader, userId: string, credentialId: string): Promise<StoredPasskey | null> {
    return reader.one<StoredPasskey>(FIND, [userId, credentialId]);
  }

  /** @returns the id of the new factor @throws ProblemError factor_exists */
  async insert(tx: Tx, { userId, sessionId }: UserCaller, name: string, passkey: Passkey): Promise<string> {
    const id = newId();
    const { credentialId, publicKey, counter, transports } = passkey;
    const values = [id, userId, name, credentialId, publicKey, counter, transports, sessionId];
    await tx.query(INSERT, values).catch(alreadyRegistered);
    return id;
  }

  /**
   * Stores the counter that the authenticator reported. A counter that does not grow indicates a cloned authenticator;
   * authenticators without a counter always report zero.
   * @returns false when the counter did not grow
   */
  async use(tx: Tx, id: string, counter: number): Promise<boolean> {
    return (await tx.one(USE, [id, counter])) !== null;
  }

  async beginCeremony(tx: Tx, userId: string, purpose: Purpose, challenge: string): Promise<void> {
    await tx.query(BEGIN, [userId, purpose, challenge]);
  }

  /**
   * @returns the pending challenge, which a wrong response does not use up; null when there is none or it has expired
   */
  async pendingChallenge(reader: Reader, userId: string, purpose: Purpose): Promise<string | null> {
    return (await reader.one<{ challenge: string }>(PENDING, [userId, purpose]))?.challenge ?? null;
  }

  /** Deletes the challenge after a valid response. @returns whether it still existed */
  async endCeremony(tx: Tx, userId: string, purpose: Purpose, challenge: string): Promise<boolean> {
    return (await tx.one(END, [userId, purpose, challenge])) !== null;
  }
}
