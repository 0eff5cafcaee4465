import { Api } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { furnishDecisions } from './decision-rows.ts';
import { visitOf } from './tenant-things.ts';
import { sql, type Tenant, until, type World } from './world.ts';

/**
 * Creates a row in every table that can hold data of an organisation.
 * @returns a person who belongs to it alone
 */
export async function furnish(world: World, tenant: Tenant): Promise<Person> {
  const { admin } = world;
  const { partnerId, orgId, siteId, deviceId, agentToken } = tenant;
  const made = async (path: string, body: object): Promise<string> =>
    (await admin.must<{ data: Made }>('POST', path, body)).data.id;
  await made(`/orgs/organizations/${orgId}/contacts`, { name: 'Ada', siteId });
  const group = await made('/device-groups', { orgId, name: 'Kiosks' });
  await admin.must('POST', `/device-groups/${group}/devices`, { deviceIds: [deviceId] });
  const policy = await made('/configuration-policies', {
    name: 'Policy',
    ownerScope: 'organization',
    orgId,
    features: {},
  });
  await made(`/configuration-policies/${policy}/assignments`, { level: 'organization', targetId: orgId });
  await made('/custom-fields', { name: 'Room', fieldKey: 'room', type: 'text', ownerScope: 'organization', orgId });
  await admin.must('POST', '/devices/custom-fields/import', {
    rows: [
      {
        organizationId: orgId,
        hostname: 'pc-1',
        sourceSystem: `rmm ${orgId}`,
        sourceDeviceId: '1',
        values: { room: '4.01' },
      },
    ],
  });
  await made('/scripts', { name: 'Script', content: 'exit 0', orgId });
  await admin.must('POST', '/roles', { name: 'Operator', axis: 'organization', orgId, permissions: ['devices:read'] });
  await admin.must('POST', '/sso/domains', { orgId, domain: `${orgId.slice(-8)}.example` });
  const { data: provider } = await admin.must<{ data: Made }>('POST', '/sso/providers', {
    orgId,
    name: 'IdP',
    type: 'oidc',
  });
  await visitOf(admin, { orgId });
  const person = await member(world, orgId);
  await admin.must('PUT', '/api-keys/policy', { ownerScope: 'organization', orgId, maxDays: 90 });
  await admin.must('PUT', '/pam/config', { orgId, defaultUnmatchedVerdict: 'require_approval' });
  await admin.must('POST', '/pam/rules', { orgId, name: 'Rule', verdict: 'auto_deny', matchPathGlob: 'C:\\never\\**' });
  await admin.must('POST', '/pam/signer-groups', { orgId, name: 'Signers', signers: ['Example Ltd'] });
  await admin.must('POST', '/pam/software-policies', {
    name: 'Tools',
    mode: 'audit',
    target: { level: 'site', id: siteId },
    rules: [],
  });
  const report = {
    subject_username: 'ACME\\ada',
    target_executable_path: 'C:\\Tools\\setup.exe',
    observed_at: new Date().toISOString(),
  };
  const request = await new Api(admin.baseUrl, agentToken).must<Made>(
    'POST',
    `/agents/${deviceId}/elevation-requests`,
    report,
  );
  await furnishDecisions(world, { partnerId, orgId, siteId, deviceId }, request.id);
  await admin.must('GET', `/audit-logs?orgId=${orgId}`);
  // Inserts directly the rows that would need a working identity provider or a push service.
  await sql(
    world,
    'identity',
    `INSERT INTO sso_identity_links (id, user_id, provider_id, partner_id, org_id, external_id, email, profile_sealed)
      SELECT gen_random_uuid(), user_id, $1, $2, $3, 'x', 'x@example.test', 'x' FROM memberships WHERE org_id = $3`,
    [provider.id, partnerId, orgId],
  );
  await sql(
    world,
    'identity',
    `INSERT INTO sso_attempts (id, partner_id, org_id, provider_id, kind, protocol, result, trace_sealed)
      VALUES (gen_random_uuid(), $2, $3, $1, 'sign_in', 'oidc', 'success', 'x')`,
    [provider.id, partnerId, orgId],
  );
  await sql(
    world,
    'identity',
    `INSERT INTO sso_metadata_changes (id, provider_id, partner_id, org_id, status, reason, before, after)
      VALUES (gen_random_uuid(), $1, $2, $3, 'held', 'policy_hold', '{}', '{}')`,
    [provider.id, partnerId, orgId],
  );
  await sql(
    world,
    'identity',
    `INSERT INTO sso_expiry_alerts (provider_id, partner_id, org_id, kind, expires_at, days)
      VALUES ($1, $2, $3, 'certificate', now(), 1)`,
    [provider.id, partnerId, orgId],
  );
  await admin.must('PUT', `/sso/settings?orgId=${orgId}`, { renewLinkInAlerts: true });
  await sql(
    world,
    'pam',
    `INSERT INTO approvals (id, partner_id, org_id, elevation_request_id, user_id, user_name, expires_at)
      VALUES (gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'Ada', now())`,
    [partnerId, orgId, request.id],
  );
  await sql(
    world,
    'notifier',
    `
    WITH s AS (INSERT INTO push_subscriptions (id, user_id, partner_id, org_id, kind, endpoint, sealed_keys)
      VALUES (gen_random_uuid(), gen_random_uuid(), $1, $2, 'webhook', 'https://push.example', 'x') RETURNING id)
    INSERT INTO push_deliveries (id, subscription_id, approval_id, partner_id, org_id, title, expires_at, delivered_at)
      SELECT gen_random_uuid(), id, gen_random_uuid(), $1, $2, 'x', now(), now() FROM s`,
    [partnerId, orgId],
  );
  return person;
}

/** Creates a user of the organisation with an API key, and an invitation that stays open. */
async function member({ admin, invitationFor }: World, orgId: string): Promise<Person> {
  const { data: roles } = await admin.must<{ data: { id: string; name: string }[] }>('GET', '/roles?axis=organization');
  const email = `member-${randomUUID()}@example.test`;
  const roleId = roles.find(({ name }) => name === 'Organization Admin')?.id;
  await admin.eventually('POST', '/users', {
    email: `invited-${randomUUID()}@example.test`,
    name: 'Invited',
    membership: { scope: 'organization', orgId, roleId },
  });
  await admin.eventually('POST', '/users', {
    email,
    name: 'Member',
    membership: { scope: 'organization', orgId, roleId },
  });
  const token = await until(() => invitationFor(email), 30);
  const password = `a long passphrase ${randomUUID()}`;
  const { accessToken } = await admin
    .as('')
    .must<{ accessToken: string }>('POST', '/auth/accept-invite', { token, password });
  const { secret } = await admin.as(accessToken).must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
  const confirmed = await admin
    .as(accessToken)
    .must<{ accessToken: string }>('POST', '/auth/mfa/totp/confirm', { code: await Api.codeFor(secret) });
  await admin.as(confirmed.accessToken).must('POST', '/api-keys', { name: 'key', permissions: ['devices:read'] });
  return { email, password, totpSecret: secret };
}

interface Made {
  readonly id: string;
}

export interface Person {
  readonly email: string;
  readonly password: string;
  readonly totpSecret: string;
}
