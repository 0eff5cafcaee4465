import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

const LOCK = `SELECT pg_advisory_xact_lock(hashtext('gatehouse.bootstrap_admin'))`;
const ANY_USER = 'SELECT id FROM users LIMIT 1';

@Injectable()
export class BootstrapRepository {
  /** Whether there are no users yet. The lock serialises replicas that start together; only the first finds none. */
  async isWithoutUsers(tx: Tx): Promise<boolean> {
    await tx.query(LOCK);
    return (await tx.one(ANY_USER)) === null;
  }
}
