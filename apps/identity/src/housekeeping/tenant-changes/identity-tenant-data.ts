import type { Tx } from '@gatehouse/database';
import type { TenantRegistry } from '@gatehouse/tenant-data';
import { MembershipsRepository } from '../../people/memberships/memberships.repository.ts';
import { publishPrincipalsChanged, RevokeSessions } from '../../sessions/revoke-sessions.ts';
import { SessionsRepository } from '../../sessions/sessions.repository.ts';
import { TechnicianFeed } from '../../sessions/technicians/technicians.service.ts';
import { TechniciansRepository } from '../../sessions/technicians/technicians.repository.ts';
import { mergeRemarks } from './merge-remarks.ts';

const technicianFeed = new TechnicianFeed(new TechniciansRepository());
const revokeSessions = new RevokeSessions(new SessionsRepository());
const membershipsRepository = new MembershipsRepository();

async function publishUsers(tx: Tx, membershipIds: readonly string[]): Promise<void> {
  const userIds = await membershipsRepository.userIdsOf(tx, membershipIds);
  const [first] = userIds;
  if (first === undefined) return;
  await technicianFeed.publish(tx, userIds);
  await revokeSessions.ofNewlyGoverned(tx, userIds);
  publishPrincipalsChanged(tx, first, 'userIds', userIds);
}

/** The sessions that a provider opened were confined to the organisation that the merge removes. */
async function endSessions(tx: Tx, providerIds: readonly string[]): Promise<void> {
  for (const providerId of providerIds) await revokeSessions.ofProvider(tx, providerId, 'organization_merged');
}

/**
 * A user who already has a membership in the survivor keeps it; their membership in the merged organisation is deleted,
 * with its API keys.
 */
const BELONGS_ALREADY = `EXISTS (SELECT FROM memberships o WHERE o.user_id = t.user_id AND o.level = 'organization'
  AND o.org_id = $2)`;
const ROLE_NAME = `CASE WHEN EXISTS (SELECT FROM roles o WHERE o.org_id = $2 AND o.name = t.name)
  THEN left(t.name, 240) || ' ' || right(t.id::text, 8) ELSE t.name END`;

/**
 * What a merge or purge does with identity's tables. Parents are listed before their children; a purge runs in reverse.
 */
export const identityTenantData: TenantRegistry = {
  service: 'identity',
  remarks: mergeRemarks,
  tables: [
    { table: 'partner_ref', policy: 'keep' },
    { table: 'org_ref', policy: 'keep' },
    { table: 'login_branding', policy: 'keep' },
    { table: 'invitation_mails', policy: 'keep' },
    { table: 'site_ref', key: ['site_id'], policy: 'follow' },
    { table: 'roles', policy: 'move', overrides: { name: { type: 'text', value: ROLE_NAME } } },
    { table: 'api_keys', policy: 'move', conflict: BELONGS_ALREADY },
    { table: 'api_key_policies', policy: 'drop' },
    { table: 'memberships', policy: 'move', conflict: BELONGS_ALREADY, onMoved: publishUsers },
    {
      table: 'membership_offers',
      policy: 'move',
      conflict: 'EXISTS (SELECT FROM membership_offers o WHERE o.org_id = $2 AND o.email = t.email)',
    },
    // The survivor's own provider continues to sign its users in; the moved one stays inactive until an administrator
    // activates it. No user of the survivor has signed in through it, so it counts as untested there.
    {
      table: 'sso_providers',
      policy: 'move',
      onMoved: endSessions,
      overrides: {
        status: { type: 'text', value: `'inactive'` },
        tested_version: { type: 'integer', value: 'NULL' },
        pending_change_id: { type: 'uuid', value: 'NULL' },
      },
    },
    { table: 'sso_metadata_changes', policy: 'drop' },
    { table: 'sso_expiry_alerts', policy: 'drop', key: ['provider_id', 'kind', 'expires_at', 'days'] },
    { table: 'sso_settings', policy: 'drop' },
    { table: 'sso_identity_links', policy: 'move' },
    { table: 'sso_setup_links', policy: 'drop' },
    { table: 'sso_setup_visits', policy: 'drop' },
    { table: 'sso_attempts', policy: 'move' },
    {
      table: 'sso_domains',
      policy: 'move',
      conflict: 'EXISTS (SELECT FROM sso_domains o WHERE o.org_id = $2 AND o.domain = t.domain)',
    },
  ],
};
