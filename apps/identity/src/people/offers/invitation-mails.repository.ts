import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { InvitationMailEntity } from './offer.entities.ts';

const LOCK_ADDRESS = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.invitation_mails ' || $1))`;
const RECENT = `
  SELECT count(*) AS count, ceil(extract(epoch FROM min(sent_at) + interval '1 day' - now()))::float8 AS retry_after
    FROM invitation_mails WHERE email = $1 AND partner_id IS NOT DISTINCT FROM $2::uuid
      AND sent_at > now() - interval '1 day'`;

export interface RecentMails {
  readonly count: number;
  /** Seconds until the oldest mail no longer counts; null when there is none. */
  readonly retryAfter: number | null;
}

/** The invitation mails that were sent to an address for a partner, or for the system. */
@Injectable()
export class InvitationMailsRepository {
  /** Locks the address, so concurrent invitations are counted one after the other. */
  async lockAddress(tx: Tx, email: string, partnerId: string | null): Promise<void> {
    await tx.query(LOCK_ADDRESS, [`${partnerId ?? 'system'} ${email}`]);
  }

  async recent(tx: Tx, email: string, partnerId: string | null): Promise<RecentMails> {
    return (await tx.one<RecentMails>(RECENT, [email, partnerId])) ?? { count: 0, retryAfter: null };
  }

  async insert(tx: Tx, email: string, partnerId: string | null): Promise<void> {
    await tx.manager.insert(InvitationMailEntity, { email, partnerId });
  }
}
