import { randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { Mailer } from '../mail/mailer.ts';
import { invitationMail } from '../mail/templates.ts';
import type { NewMembership } from '../users/join-tenant.ts';

export type OfferedMembership = NewMembership;

export interface Invitation {
  readonly userId: string;
  readonly email: string;
  readonly inviter: string;
  /** What acceptance brings besides the account; null when the membership exists already. */
  readonly membership: OfferedMembership | null;
}

const ADD = `INSERT INTO invitations (token_hash, user_id, membership, expires_at) VALUES ($1, $2, $3, now() + interval '7 days')`;

/** Invitations by mail: a link that works once, for seven days. Only the hash of its token is stored. */
@Injectable()
export class Invitations {
  constructor(private readonly mailer: Mailer, @Inject(BASE_URL) private readonly baseUrl: string) {}

  async send(tx: Tx, { userId, email, inviter, membership }: Invitation): Promise<void> {
    const token = randomToken();
    await tx.query(ADD, [sha256Hex(token), userId, membership]);
    await this.mailer.post(tx, invitationMail({ baseUrl: this.baseUrl, to: email, token }, inviter));
  }
}
