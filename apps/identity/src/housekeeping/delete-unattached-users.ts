import { asService } from '@gatehouse/contracts-core';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { TechnicianFeed } from '../technicians/technician-feed.ts';

const EVERY_MS = 10 * 60 * 1000;
const IS_UNATTACHED = 'NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)';
// A transaction that is adding a membership locks its user; that user is skipped until the next run.
const LOCK = `SELECT u.id FROM users u WHERE u.updated_at < now() - interval '1 hour' AND ${IS_UNATTACHED} LIMIT 100 FOR UPDATE SKIP LOCKED`;
const DELETE = `DELETE FROM users u WHERE u.id = ANY ($1::uuid[]) AND ${IS_UNATTACHED} RETURNING id AS user_id, name, email, version`;

interface DeletedUser {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly version: number;
}

/** Deletes the accounts of users who have no membership left, for example after a purge of their last organisation. */
@Injectable()
export class DeleteUnattachedUsers {
  constructor(
    private readonly work: UnitOfWork,
    private readonly technicians: TechnicianFeed,
  ) {}

  @Every(EVERY_MS, 'people who belong nowhere')
  async round(): Promise<void> {
    await this.work.background(asService('identity'), async (tx) => {
      const held = await tx.query<{ id: string }>(LOCK);
      for (const person of await tx.query<DeletedUser>(DELETE, [held.map(({ id }) => id)])) this.tell(tx, person);
    });
  }

  private tell(tx: Tx, person: DeletedUser): void {
    this.technicians.withdraw(tx, person);
    tx.audit({
      action: 'user.delete',
      resource: { type: 'user', id: person.userId, name: person.email },
      details: { reason: 'belongs_nowhere' },
    });
  }
}
