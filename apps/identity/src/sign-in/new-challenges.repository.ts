import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { SignInMeans } from '../sessions/open-session.ts';

interface NewChallenge {
  readonly tokenHash: string;
  readonly userId: string;
  readonly membershipId: string;
  readonly via: SignInMeans;
}

const INSERT = `INSERT INTO mfa_challenges (token_hash, user_id, membership_id, via, expires_at) VALUES ($1, $2, $3, $4, now() + interval '5 minutes')`;
const DELETE_EXPIRED = `DELETE FROM mfa_challenges WHERE user_id = $1 AND expires_at < now()`;

/** Stores sign-ins that wait for a second factor. */
@Injectable()
export class NewChallengesRepository {
  async deleteExpired(tx: Tx, userId: string): Promise<void> {
    await tx.query(DELETE_EXPIRED, [userId]);
  }

  async insert(tx: Tx, { tokenHash, userId, membershipId, via }: NewChallenge): Promise<void> {
    await tx.query(INSERT, [tokenHash, userId, membershipId, via]);
  }
}
