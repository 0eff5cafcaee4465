import { Api } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { sql, type Tenant, until, type World } from './world.ts';

interface Made {
  readonly id: string;
}

/** Real things of a tenant, by the prefix of the routes that name them; those that can be are pinned to its site. */
export async function tenantThings(world: World, tenant: Tenant): Promise<Record<string, string>> {
  return {
    ...(await ofTenancy(world, tenant)),
    ...(await ofIdentity(world, tenant)),
    ...(await ofPam(world, tenant)),
    '/push-subscriptions': await aPushSubscription(world),
    '/audit-logs': await anAuditEntry(world, tenant),
  };
}

const makerOf =
  ({ admin }: World) =>
  async (path: string, body: object): Promise<string> => {
    const answer = await admin.must<Partial<Made> & { data?: Made }>('POST', path, body);
    return answer.id ?? answer.data?.id ?? '';
  };

async function ofTenancy(
  world: World,
  { partnerId, orgId, siteId, deviceId }: Tenant,
): Promise<Record<string, string>> {
  const made = makerOf(world);
  return {
    '/orgs/partners': partnerId,
    '/orgs/organizations': orgId,
    '/orgs/organizations/merge-runs': randomUUID(),
    '/orgs/sites': siteId,
    '/devices': deviceId,
    '/orgs/contacts': await made(`/orgs/organizations/${orgId}/contacts`, { name: 'Mat Rix', siteId }),
    '/enrollment-keys': await made('/enrollment-keys', { orgId, siteId, name: 'matrix' }),
    '/device-groups': await made('/device-groups', { orgId, name: 'matrix' }),
    '/configuration-policies': await made('/configuration-policies', {
      orgId,
      ownerScope: 'organization',
      name: 'matrix',
      features: {},
    }),
    '/custom-fields': await made('/custom-fields', {
      orgId,
      ownerScope: 'organization',
      name: 'matrix',
      fieldKey: 'matrix',
      type: 'text',
    }),
    '/scripts': await made('/scripts', { orgId, name: 'matrix', content: 'exit 0' }),
  };
}

/** The reference of a return from a provider that belongs to no sign-in: the system alone reads its record. */
async function anAttempt({ product }: World): Promise<string> {
  const { headers } = await fetch(`${product.baseUrl}/api/v1/sso/callback?state=made-up`, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '').searchParams.get('attempt') ?? '';
}

/** The token of a visit of a new set-up link. */
export async function visitOf(admin: Api, link: object): Promise<string> {
  const { data: made } = await admin.must<{ data: { url: string } }>('POST', '/sso/setup-links', link);
  const { data } = await admin.must<{ data: { visitToken: string } }>('POST', '/sso/setup/visits', {
    token: made.url.split('#')[1],
  });
  return data.visitToken;
}

async function ofIdentity(world: World, { orgId }: Tenant): Promise<Record<string, string>> {
  const made = makerOf(world);
  const { data: roles } = await world.admin.must<{ data: { id: string; name: string }[] }>(
    'GET',
    '/roles?axis=organization',
  );
  const provider = await made('/sso/providers', { orgId, name: 'matrix', type: 'oidc' });
  const loginRoute = { '/sso/link/start': provider, '/sso/link': provider };
  return {
    ...loginRoute,
    '/sso/providers': provider,
    '/sso/attempts': await anAttempt(world),
    '/sso/test-sign-ins': randomUUID(),
    '/sso/metadata-changes': await aMetadataChange(world, provider, orgId),
    '/sso/setup-links': await made('/sso/setup-links', { orgId }),
    '/sso/domains': await made('/sso/domains', { orgId, domain: `${orgId.slice(-8)}.example` }),
    '/roles': await made('/roles', { name: 'matrix', axis: 'organization', orgId, permissions: ['devices:read'] }),
    '/users': await made('/users', {
      email: `thing-${randomUUID()}@example.test`,
      name: 'Thing',
      membership: {
        scope: 'organization',
        orgId,
        roleId: roles.find(({ name }) => name === 'Organization Viewer')?.id,
      },
    }),
    '/api-keys': await made('/api-keys', { name: 'thing', permissions: ['devices:read'] }),
  };
}

async function ofPam(
  world: World,
  { partnerId, orgId, siteId, deviceId, agentToken }: Tenant,
): Promise<Record<string, string>> {
  const { admin } = world;
  const { rule } = await admin.must<{ rule: Made }>('POST', '/pam/rules', {
    orgId,
    siteId,
    name: 'matrix',
    verdict: 'auto_deny',
    matchPathGlob: 'C:\\matrix\\**',
  });
  const { signerGroups } = await admin.must<{ signerGroups: Made[] }>('POST', '/pam/signer-groups', {
    orgId,
    name: 'matrix',
    signers: ['Example Ltd'],
  });
  const { softwarePolicy } = await admin.must<{ softwarePolicy: Made }>('POST', '/pam/software-policies', {
    name: 'matrix',
    mode: 'audit',
    target: { level: 'organization', id: orgId },
    rules: [],
  });
  const report = {
    subject_username: 'ACME\\ada',
    target_executable_path: 'C:\\Tools\\matrix.exe',
    observed_at: new Date().toISOString(),
  };
  const request = await new Api(admin.baseUrl, agentToken).must<Made>(
    'POST',
    `/agents/${deviceId}/elevation-requests`,
    report,
  );
  const action = await admin.must<Made>('POST', '/pam/tool-actions', { deviceId, toolName: 'run_script', input: {} });
  const replay = await admin.must<{ jobId: string }>('POST', '/pam/replays', { orgId, name: 'matrix' });
  const [approval] = await sql<Made>(
    world,
    'pam',
    `
    INSERT INTO approvals (id, partner_id, org_id, elevation_request_id, user_id, user_name, expires_at)
      VALUES (gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'Ada', now() + interval '1 day') RETURNING id`,
    [partnerId, orgId, request.id],
  );
  const { freeze } = await admin.must<{ freeze: Made }>('POST', '/pam/freezes', {
    level: 'device',
    targetId: deviceId,
    mode: 'hold',
    reason: 'matrix',
    revokeOpen: false,
  });
  return {
    '/pam/rules': rule.id,
    '/pam/signer-groups': signerGroups[0]?.id ?? '',
    '/pam/software-policies': softwarePolicy.id,
    '/pam/elevation-requests': request.id,
    '/pam/tool-actions': action.id,
    '/pam/replays': replay.jobId,
    '/pam/freezes': freeze.id,
    '/approvals': approval?.id ?? '',
  };
}

/** One that waits for approval, as a check of the metadata would leave it. */
async function aMetadataChange(world: World, providerId: string, orgId: string): Promise<string> {
  const [change] = await sql<Made>(
    world,
    'identity',
    `INSERT INTO sso_metadata_changes (id, provider_id, partner_id, org_id, status, reason, before, after)
      SELECT gen_random_uuid(), id, partner_id, org_id, 'held', 'policy_hold', $3::jsonb, $3::jsonb FROM sso_providers
       WHERE id = $1 AND org_id = $2 RETURNING id`,
    [providerId, orgId, JSON.stringify({ entityId: null, ssoUrl: null, certificates: [] })],
  );
  return change?.id ?? '';
}

async function aPushSubscription(world: World): Promise<string> {
  const [subscription] = await sql<Made>(
    world,
    'notifier',
    `
    INSERT INTO push_subscriptions (id, user_id, kind, endpoint, sealed_keys)
      VALUES (gen_random_uuid(), gen_random_uuid(), 'webhook', 'https://push.example', 'x') RETURNING id`,
  );
  return subscription?.id ?? '';
}

/** An entry about a thing of the tenant's site. */
function anAuditEntry(world: World, { siteId }: Tenant): Promise<string> {
  const entries = 'SELECT id FROM audit_entries WHERE site_id = $1 LIMIT 1';
  return until(async () => (await sql<Made>(world, 'audit', entries, [siteId]))[0]?.id ?? null);
}
