import type { TechnicianState } from '@gatehouse/contracts-identity';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

/** Increments the version of each user and returns the state that goes with it. */
const NEXT_STATES = 'SELECT user_id, name, email, active, version, reaches FROM next_technician_states($1::uuid[])';
const USER_IDS_AFTER = 'SELECT id FROM users WHERE id > $1 ORDER BY id LIMIT $2';

@Injectable()
export class TechniciansRepository {
  nextStates(tx: Tx, userIds: readonly string[]): Promise<TechnicianState[]> {
    return tx.query<TechnicianState>(NEXT_STATES, [userIds]);
  }

  /** The next ids in order, for a batch of all users. */
  async userIdsAfter(tx: Tx, userId: string, limit: number): Promise<string[]> {
    return (await tx.query<{ id: string }>(USER_IDS_AFTER, [userId, limit])).map(({ id }) => id);
  }
}
