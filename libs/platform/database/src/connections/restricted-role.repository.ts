import type { DataSource } from 'typeorm';
import { transactionSettingsOf } from './transaction-settings.ts';

const POWERS = `
  SELECT r.rolsuper OR r.rolbypassrls AS unrestricted,
         EXISTS (SELECT FROM pg_tables t WHERE t.schemaname = 'public' AND t.tableowner = current_user) AS owner,
         current_setting('synchronous_commit') AS synchronous_commit,
         current_setting('idle_in_transaction_session_timeout') <> '0' AS bounded
    FROM pg_roles r WHERE r.rolname = current_user`;

/**
 * Stops the service from running with a role that bypasses row security, on a server that may lose a commit, or behind
 * a pooler of which it does not know.
 * @throws Error that names the problem
 */
export async function assertRestrictedRole(source: DataSource): Promise<void> {
  const [role] = (await source.query(POWERS)) as {
    unrestricted: boolean;
    owner: boolean;
    synchronous_commit: string;
    bounded: boolean;
  }[];
  if (!role || role.unrestricted)
    throw new Error(
      'the database role is a superuser or bypasses row security; connect as the restricted runtime role',
    );
  if (role.owner)
    throw new Error(
      'the database role owns tables; services connect as the runtime role and only migrations as the owner',
    );
  if (role.synchronous_commit === 'off')
    throw new Error('the database runs with synchronous_commit = off and could lose acknowledged writes');
  if (!role.bounded && transactionSettingsOf(source) === null)
    throw new Error(
      'the settings of the session do not reach the database; set DATABASE_POOLED=true when a pooler stands before it',
    );
}
