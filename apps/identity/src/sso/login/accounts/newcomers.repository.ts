import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

interface Newcomer {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
}

interface FirstMembership {
  readonly membershipId: string;
  readonly userId: string;
  readonly partnerId: string;
  readonly orgId: string | null;
  readonly roleId: string | null;
}

const INSERT_USER = `INSERT INTO users (id, email, name, status) VALUES ($1, $2, $3, 'active')`;
const INSERT_MEMBERSHIP = `
  INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
    VALUES ($1, $2, 'organization', $3, $4, $5)`;

/**
 * Stores the users whom a provider brings. A violated constraint stays an error of the database: it shows that a
 * concurrent sign-in of the same user came first.
 */
@Injectable()
export class NewcomersRepository {
  async insertUser(tx: Tx, { userId, email, name }: Newcomer): Promise<void> {
    await tx.query(INSERT_USER, [userId, email, name]);
  }

  async insertMembership(tx: Tx, { membershipId, userId, partnerId, orgId, roleId }: FirstMembership): Promise<void> {
    await tx.query(INSERT_MEMBERSHIP, [membershipId, userId, partnerId, orgId, roleId]);
  }
}
