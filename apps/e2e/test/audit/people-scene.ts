import { SoftAuthenticator } from '@gatehouse/testing/soft-authenticator';
import { Api } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../world.ts';
import { idOf, type Person, type Told } from './recorder.ts';
import { invited, personOf, type Stage, unique } from './stage.ts';

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

type Renewed = Tokens & { readonly recoveryCodes: string[] };

/** The partner's administrator manages users, roles, API keys and the branding. */
export async function administerPeople({ log, boss, roles, ofPartner, world }: Stage): Promise<void> {
  const at = { place: ofPartner };
  const email = `${unique('tess')}@example.test`;
  const membership = { scope: 'partner', orgAccess: 'all', roleId: roles.get('Partner Technician') };
  const { data: user } = await log.call<{ data: { id: string } }>('POST /users', {
    as: boss,
    body: { email, name: 'Tess', membership },
    told: [{ ...at, action: 'user.create', resource: 'user', id: idOf }],
  });
  const token = await until(() => world.invitationFor(email));
  const self = { ...at, resource: 'user', id: user.id, actor: { type: 'user', id: user.id } } as const;
  await log.call('POST /auth/invitation', {
    as: { api: world.admin.as(''), actor: self.actor },
    body: { token },
    told: [],
  });
  const tess = await log.call<Tokens>('POST /auth/accept-invite', {
    as: { api: world.admin.as(''), actor: self.actor },
    body: { token, password: `a long passphrase ${randomUUID()}` },
    told: [
      { ...self, action: 'user.invite.accept' },
      { ...self, action: 'user.login' },
    ],
  });
  await log.call('POST /auth/logout-all', {
    as: { api: boss.api.as(tess.accessToken), actor: self.actor },
    told: [{ ...self, action: 'session.revoke' }],
  });
  const params = { id: user.id };
  await log.call('DELETE /users/{id}/sessions', {
    as: boss,
    params,
    told: [{ ...at, action: 'session.revoke', resource: 'user', id: user.id }],
  });
  await log.call('PATCH /users/{id}', {
    as: boss,
    params,
    body: { name: 'Tess of the walk' },
    told: [{ ...at, action: 'user.update', resource: 'user' }],
  });
  await log.call('DELETE /users/{id}', {
    as: boss,
    params,
    told: [{ ...at, action: 'user.delete', resource: 'user' }],
  });
  const { data: offer } = await boss.api.must<{ data: { id: string } }>('POST', '/users', {
    email: `${unique('withdrawn')}@example.test`,
    name: 'Una',
    membership,
  });
  await log.call('POST /users/{id}/invitation', {
    as: boss,
    params: { id: offer.id },
    told: [{ ...at, action: 'user.invite.resend', resource: 'user', id: offer.id }],
  });
  await log.call('DELETE /users/{id}/invitation', {
    as: boss,
    params: { id: offer.id },
    told: [{ ...at, action: 'user.invite.withdraw', resource: 'user', id: offer.id }],
  });
}

export async function administerAccess({ log, boss, ofPartner, world, phone }: Stage): Promise<void> {
  const at = { place: ofPartner };
  const { data: role } = await log.call<{ data: { id: string } }>('POST /roles', {
    as: boss,
    body: { name: unique('role'), axis: 'partner', permissions: ['devices:read'] },
    told: [{ ...at, action: 'role.create', resource: 'role', id: idOf }],
  });
  await log.call('PATCH /roles/{id}', {
    as: boss,
    params: { id: role.id },
    body: { permissions: ['sites:read'] },
    told: [{ ...at, action: 'role.update', resource: 'role' }],
  });
  await log.call('DELETE /roles/{id}', {
    as: boss,
    params: { id: role.id },
    told: [{ ...at, action: 'role.delete', resource: 'role' }],
  });
  const { data: key } = await log.call<{ data: { id: string; key: string } }>('POST /api-keys', {
    as: boss,
    body: { name: 'walk', permissions: ['sites:read', 'organizations:read', 'tools:request'] },
    told: [{ ...at, action: 'api_key.create', resource: 'api_key', id: idOf }],
  });
  await world.admin.as(key.key).must('GET', '/orgs');
  await log.call('DELETE /api-keys/{id}', {
    as: boss,
    params: { id: key.id },
    told: [{ ...at, action: 'api_key.delete', resource: 'api_key' }],
  });
  await log.call('PUT /api-keys/policy', {
    as: boss,
    body: { ownerScope: 'partner', maxDays: 700 },
    told: [{ ...at, action: 'api_key_policy.update', resource: 'api_key_policy', id: ofPartner.partnerId }],
  });
  await log.call('PUT /partners/me/login-branding', {
    as: boss,
    body: { headline: 'Welcome', accentColor: '#336699' },
    told: [{ ...at, action: 'partner.login_branding.update', resource: 'partner', id: ofPartner.partnerId }],
  });
  const { url } = await log.call<{ url: string }>('POST /audit-logs/exports', {
    as: boss,
    body: { filter: { action: ['role.*'] }, format: 'csv' },
    told: [{ ...at, action: 'audit.export.prepare', resource: 'audit_log', id: null }],
  });
  const file = await (await fetch(`${world.product.baseUrl}${url}`)).text();
  if (!file.includes(role.id)) throw new Error(`the export lacks the role: ${file}`);
  const { data: subscription } = await log.call<{ data: { id: string } }>('POST /push-subscriptions', {
    as: boss,
    body: { kind: 'webhook', endpoint: phone },
    told: [{ ...at, action: 'push_subscription.create', resource: 'push_subscription', id: idOf }],
  });
  await log.call('POST /push-subscriptions/{id}/test', { as: boss, params: { id: subscription.id }, told: [] });
  await log.call('DELETE /push-subscriptions/{id}', {
    as: boss,
    params: { id: subscription.id },
    told: [{ ...at, action: 'push_subscription.delete', resource: 'push_subscription' }],
  });
}

/** A user's own sign-in: password, authenticator app, recovery codes, passkey, sign-out, password reset. */
export async function signIns(stage: Stage): Promise<void> {
  const { log, anonymous, ofPartner, world } = stage;
  const { person, email, password } = await invited(stage, 'Partner Viewer');
  const self = { place: ofPartner, resource: 'user', id: person.actor.id, actor: person.actor } as const;
  const tokens = await log.call<Tokens>('POST /auth/login', {
    as: anonymous,
    body: { email, password },
    told: [{ ...self, action: 'user.login' }],
  });
  const { accessToken } = await log.call<Tokens>('POST /auth/refresh', {
    as: anonymous,
    body: { refreshToken: tokens.refreshToken },
    told: [],
  });
  const plain = await personOf(world.admin.as(accessToken));
  const { secret } = await log.call<{ secret: string }>('POST /auth/mfa/totp/enroll', { as: plain, told: [] });
  const enrolled = await log.call<Renewed>('POST /auth/mfa/totp/confirm', {
    as: plain,
    body: { code: await Api.codeFor(secret) },
    told: [{ ...self, action: 'user.mfa.enroll' }],
  });
  const strong = await personOf(plain.api.as(enrolled.accessToken));
  const { recoveryCodes } = await log.call<Renewed>('POST /auth/mfa/recovery-codes', {
    as: strong,
    told: [{ ...self, action: 'user.mfa.enroll' }],
  });
  const stepped = await log.call<Tokens>('POST /auth/mfa/step-up', {
    as: strong,
    body: { code: recoveryCodes[0], method: 'recovery_code' },
    told: [{ ...self, action: 'user.mfa.verify' }],
  });
  const passkey = await passkeys(stage, await personOf(strong.api.as(stepped.accessToken)), self);
  await secondFactors(
    stage,
    { email, password, recoveryCode: recoveryCodes[1] ?? '', passkey },
    { ...self, action: 'user.login' },
  );
  await passwords(stage);
}

async function passkeys(
  { log, world }: Stage,
  person: Person,
  self: { readonly resource: 'user' },
): Promise<SoftAuthenticator> {
  const passkey = new SoftAuthenticator(world.product.baseUrl);
  const offered = await log.call<{ challenge: string }>('POST /auth/mfa/webauthn/register/options', {
    as: person,
    told: [],
  });
  const registered = await log.call<Tokens>('POST /auth/mfa/webauthn/register/verify', {
    as: person,
    body: { response: passkey.register(offered.challenge) },
    told: [{ ...self, action: 'user.mfa.enroll' }],
  });
  const renewed = { ...person, api: person.api.as(registered.accessToken) };
  const asked = await log.call<{ challenge: string }>('POST /auth/mfa/webauthn/step-up/options', {
    as: renewed,
    told: [],
  });
  await log.call('POST /auth/mfa/webauthn/step-up/verify', {
    as: renewed,
    body: { response: passkey.assert(asked.challenge) },
    told: [{ ...self, action: 'user.mfa.verify' }],
  });
  return passkey;
}

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly recoveryCode: string;
  readonly passkey: SoftAuthenticator;
}

/** A sign-in with a second factor leaves one entry, when it is complete. */
async function secondFactors(
  { log, anonymous, boss, world }: Stage,
  { email, password, recoveryCode, passkey }: Credentials,
  signedIn: Told,
): Promise<void> {
  const challenged = async (): Promise<string> =>
    (await log.call<{ mfaToken: string }>('POST /auth/login', { as: anonymous, body: { email, password }, told: [] }))
      .mfaToken;
  await log.call('POST /auth/mfa/verify', {
    as: anonymous,
    body: { mfaToken: await challenged(), code: recoveryCode, method: 'recovery_code' },
    told: [signedIn],
  });
  const mfaToken = await challenged();
  const { challenge } = await log.call<{ challenge: string }>('POST /auth/mfa/webauthn/sign-in/options', {
    as: anonymous,
    body: { mfaToken },
    told: [],
  });
  const { accessToken } = await log.call<Tokens>('POST /auth/mfa/webauthn/sign-in/verify', {
    as: anonymous,
    body: { mfaToken, response: passkey.assert(challenge) },
    told: [signedIn],
  });
  const person = await personOf(world.admin.as(accessToken));
  const { data: factors } = await person.api.must<{ data: { id: string; kind: string }[] }>('GET', '/auth/mfa/factors');
  const id = factors.find(({ kind }) => kind === 'webauthn')?.id ?? '';
  await log.call('DELETE /auth/mfa/factors/{id}', {
    as: person,
    params: { id },
    told: [{ ...signedIn, action: 'user.mfa.remove' }],
  });
  await log.call('DELETE /users/{id}/mfa', {
    as: boss,
    params: { id: person.actor.id ?? '' },
    told: [{ ...signedIn, actor: boss.actor, action: 'user.mfa.remove' }],
  });
}

async function sessions({ log, anonymous, ofPartner, world }: Stage, credentials: object): Promise<void> {
  const signIn = async () =>
    personOf(world.admin.as((await anonymous.api.must<Tokens>('POST', '/auth/login', credentials)).accessToken));
  const [person, other] = [await signIn(), await signIn()];
  const { data: mine } = await other.api.must<{ data: { id: string; current: boolean }[] }>('GET', '/auth/sessions');
  const id = mine.find(({ current }) => current)?.id ?? '';
  const by = { place: ofPartner, actor: person.actor };
  await log.call('DELETE /auth/sessions/{id}', {
    as: person,
    params: { id },
    told: [{ ...by, action: 'session.revoke', resource: 'session', id }],
  });
  const { data } = await person.api.must<{ data: { id: string }[] }>('GET', '/auth/memberships');
  const self = { ...by, resource: 'user', id: person.actor.id };
  await log.call('POST /auth/membership', {
    as: person,
    body: { membershipId: data[0]?.id },
    told: [
      { ...self, action: 'user.logout' },
      { ...self, action: 'user.login' },
    ],
  });
}

async function passwords(stage: Stage): Promise<void> {
  const { log, anonymous, ofPartner, world } = stage;
  const { person, email: address, password } = await invited(stage, 'Partner Viewer');
  const self = { place: ofPartner, resource: 'user', id: person.actor.id, actor: person.actor } as const;
  const newPassword = `another passphrase ${randomUUID()}`;
  await log.call('POST /auth/change-password', {
    as: person,
    body: { currentPassword: password, newPassword },
    told: [{ ...self, action: 'user.password.change' }],
  });
  await log.call('POST /auth/logout', { as: person, told: [{ ...self, action: 'user.logout' }] });
  await sessions(stage, { email: address, password: newPassword });
  await log.call('POST /auth/forgot-password', {
    as: anonymous,
    body: { email: address },
    told: [{ ...self, actor: anonymous.actor, action: 'user.password.reset_request' }],
  });
  const token = await until(async () => resetToken(join(world.product.directory, 'mail'), address));
  await log.call('POST /auth/reset-password', {
    as: anonymous,
    body: { token, password: `a third passphrase ${randomUUID()}` },
    told: [{ ...self, action: 'user.password.reset' }],
  });
  await log.call('POST /auth/forgot-password', { as: anonymous, body: { email: `nobody-${address}` }, told: [] });
}

function resetToken(directory: string, email: string): string | null {
  const mails = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
  return (
    /reset-password\?token=([\w-]+)/.exec(
      mails.find((text) => text.includes(email) && text.includes('reset-password')) ?? '',
    )?.[1] ?? null
  );
}
