import { list, type Answer, type ProductClient } from '../product-client.ts';
import type { Tenant, Tour } from '../journey.ts';
import type { Technician } from './technician.ts';

/** The entries that the journey must have left in the log of its organisation. */
const EXPECTED = [
  'organization.create',
  'site.create',
  'sso.provider.create',
  'sso.provider.status.update',
  'sso.login.success',
  'sso.login.rejected',
  'enrollment_key.create',
  'device.enroll',
  'pam.rule.create',
  'pam.elevation_request.submit',
  'pam.elevation_request.approve',
  'device.elevation.actuate',
  'device.elevation.result',
  'pam.elevation_request.revoke',
];

export async function audit({ journey }: Tour, admin: ProductClient, { orgId, partnerId }: Tenant): Promise<void> {
  journey.chapter('The audit log tells the story');
  const missing = ({ body }: Answer) => {
    const actions = new Set(list(body, 'data').map((entry) => entry['action']));
    return EXPECTED.filter((action) => !actions.has(action));
  };
  const log = await journey.step(
    `all ${EXPECTED.length} kinds of events are on record`,
    200,
    () => admin.get(`/audit-logs?orgId=${orgId}&limit=100`),
    { holds: (_body, answer) => missing(answer).length === 0, settles: true },
  );
  await journey.check('each names who did it', async () => {
    const actors = new Set(
      list(log.body, 'data').map((entry) => (entry['actor'] as { type?: string } | undefined)?.type),
    );
    if (actors.has(undefined)) throw new Error('an entry has no actor');
    return [...actors].join(', ');
  });
  await journey.step(
    "the partner's hash chain is unbroken",
    200,
    () => admin.get(`/audit-logs/verify?chain=${partnerId}`),
    { shows: ['valid', 'length', 'head'], holds: (body) => body['valid'] === true },
  );
}

export async function signOut({ journey, product }: Tour, { client, refreshToken }: Technician): Promise<void> {
  journey.chapter('The technician signs out');
  await journey.step('sign out', 200, () => client.post('/auth/logout', { refreshToken }));
  await journey.step('the access token is dead within five seconds', 401, () => client.get('/auth/me'), {
    shows: ['code'],
    settles: true,
  });
  await journey.step('so is the refresh token', 401, () => product.post('/auth/refresh', { refreshToken }), {
    shows: ['code'],
  });
}
