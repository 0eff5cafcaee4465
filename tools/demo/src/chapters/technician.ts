import { randomBytes, randomUUID } from 'node:crypto';
import { invitationToken } from '../mailbox.ts';
import { list, text, type ProductClient } from '../product-client.ts';
import { enrolTotp } from '../sign-in.ts';
import type { Tenant, Tour } from '../journey.ts';

export interface Technician {
  readonly client: ProductClient;
  readonly refreshToken: string;
}

/** Finds a system role by name. */
export async function roleId(client: ProductClient, axis: 'partner' | 'organization', name: string): Promise<string> {
  const { body } = await client.get(`/roles?axis=${axis}`);
  return text(
    list(body, 'data').find((role) => role['name'] === name),
    'id',
  );
}

/** @returns the client of the technician's first session, which has no second factor yet */
async function invite(
  { journey, product, settings }: Tour,
  admin: ProductClient,
  { email, password, partnerId }: { email: string; password: string; partnerId: string },
): Promise<ProductClient> {
  const membership = {
    scope: 'partner',
    partnerId,
    orgAccess: 'all',
    roleId: await roleId(admin, 'partner', 'Partner Technician'),
  };
  await journey.step(
    'invite a technician',
    201,
    () => admin.post('/users', { email, name: 'Tess Technician', membership }),
    { shows: ['data.id', 'data.status'], settles: true },
  );
  let token = '';
  await journey.check('the invitation arrives by mail', async () => {
    token = await invitationToken(settings.mailDirectory, email);
    return email;
  });
  const accepted = await journey.step(
    'the technician accepts and chooses a password',
    200,
    () => product.post('/auth/accept-invite', { token, password }),
    { shows: ['user.email'] },
  );
  return product.as(text(accepted.body, 'accessToken'));
}

export async function technician(tour: Tour, admin: ProductClient, { partnerId }: Tenant): Promise<Technician> {
  const { journey, product, run } = tour;
  journey.chapter('A technician is invited and sets up a second factor');
  const email = `tech-${run}@partner.example`;
  const password = randomBytes(12).toString('base64url');
  const early = await invite(tour, admin, { email, password, partnerId });
  await journey.step(
    'without a second factor, decisions are refused',
    403,
    () => early.post(`/pam/elevation-requests/${randomUUID()}/respond`, { decision: 'approve' }),
    { shows: ['code'], holds: (body) => body['code'] === 'mfa_required', settles: true },
  );
  const enrolled = await journey.step(
    'enrol a TOTP factor; recovery codes come with it',
    200,
    async () => (await enrolTotp(early)).answer,
  );
  const code = text(enrolled.body, 'recoveryCodes.0');
  const first = await journey.step(
    'sign in again: the password alone is not enough',
    200,
    () => product.post('/auth/login', { email, password }),
    { shows: ['mfaRequired', 'methods'], holds: (body) => body['mfaRequired'] === true },
  );
  const verified = await journey.step(
    'a recovery code completes the sign-in',
    200,
    () => product.post('/auth/mfa/verify', { mfaToken: text(first.body, 'mfaToken'), code, method: 'recovery_code' }),
    { shows: ['mfa'] },
  );
  return {
    client: product.as(text(verified.body, 'accessToken')),
    refreshToken: text(verified.body, 'refreshToken'),
  };
}
