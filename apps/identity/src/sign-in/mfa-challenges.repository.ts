import { ProblemError } from '@gatehouse/contracts-core';
import type { Reader, Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { SignInMeans } from '../sessions/sessions.repository.ts';

/** A sign-in that waits for a second factor. */
@Entity('mfa_challenges')
export class MfaChallengeEntity {
  @PrimaryColumn('text') tokenHash!: string;
  @Column('uuid') userId!: string;
  @Column('uuid') membershipId!: string;
  /** A provider's sign-in never waits here: its second factor is the provider's own. */
  @Column('text') via!: Exclude<SignInMeans, 'sso'>;
  @Column('integer', { default: () => '0' }) attempts!: number;
  /** The challenge that a passkey must sign. */
  @Column('text', { nullable: true }) webauthnChallenge!: string | null;
  @Column('timestamptz') expiresAt!: Date;
}

const FIELDS = 'token_hash, user_id, membership_id, via, webauthn_challenge';
const INSERT = `
  INSERT INTO mfa_challenges (token_hash, user_id, membership_id, via, expires_at)
    SELECT $1, user_id, id, $4, now() + interval '5 minutes' FROM live_memberships WHERE user_id = $2 AND id = $3
    RETURNING token_hash`;
const DELETE_EXPIRED = 'DELETE FROM mfa_challenges WHERE user_id = $1 AND expires_at < now()';
const FIND = `SELECT ${FIELDS} FROM mfa_challenges WHERE token_hash = $1 AND expires_at > now()`;
const COUNT_ATTEMPT = `
  UPDATE mfa_challenges SET attempts = attempts + 1
   WHERE token_hash = $1 AND expires_at > now() AND attempts < 5 RETURNING ${FIELDS}`;

export type MfaChallenge = Pick<
  MfaChallengeEntity,
  'tokenHash' | 'userId' | 'membershipId' | 'via' | 'webauthnChallenge'
>;

export const deadChallenge = (): ProblemError =>
  new ProblemError('mfa_token_invalid', 'This sign-in has expired; start again.');

/** Sign-ins that wait for a second factor, for identity itself. */
@Injectable()
export class MfaChallengesRepository {
  /** @returns false when the membership does not permit a sign-in (any more) */
  async insert(tx: Tx, challenge: Omit<MfaChallenge, 'webauthnChallenge'>): Promise<boolean> {
    const { tokenHash, userId, membershipId, via } = challenge;
    return (await tx.one(INSERT, [tokenHash, userId, membershipId, via])) !== null;
  }

  async deleteExpired(tx: Tx, userId: string): Promise<void> {
    await tx.query(DELETE_EXPIRED, [userId]);
  }

  find(reader: Reader, tokenHash: string): Promise<MfaChallenge | null> {
    return reader.one<MfaChallenge>(FIND, [tokenHash]);
  }

  /**
   * Counts one of five attempts. The row stays locked until the attempt is checked, so parallel attempts wait for its
   * outcome.
   */
  countAttempt(tx: Tx, tokenHash: string): Promise<MfaChallenge | null> {
    return tx.one<MfaChallenge>(COUNT_ATTEMPT, [tokenHash]);
  }

  async keepWebauthnChallenge(tx: Tx, tokenHash: string, webauthnChallenge: string): Promise<void> {
    await tx.manager.update(MfaChallengeEntity, { tokenHash }, { webauthnChallenge });
  }

  async delete(tx: Tx, tokenHash: string): Promise<void> {
    await tx.manager.delete(MfaChallengeEntity, { tokenHash });
  }
}
