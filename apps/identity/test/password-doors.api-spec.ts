import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { Gate, patient } from '@gatehouse/testing';
import { hash } from '@node-rs/argon2';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { errorIn, NO_LIMITS, SsoHarness, startScriptedIdp, type Tenant } from './sso.harness.ts';

let serial = 0;
let tenant: Tenant;

const idp = await startScriptedIdp();
const sso = await SsoHarness.start([idp.issuer], patient(NO_LIMITS));
afterAll(async () => {
  await sso.stop();
  await idp.stop();
});
beforeEach(async () => {
  tenant = await sso.tenant();
});

describe('the confirmation of a parked link', () => {
  beforeEach(async () => {
    await sso.provider(tenant, idp);
  });

  it('ATK-01e: takes the password of a person whom another organisation governs: enforcement elsewhere decides nothing here', async () => {
    const person = await member();
    const other = await sso.tenant();
    await sso.provider(other, idp, { enforceSSO: true });
    await sso.service.sql(
      `INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
        VALUES ($1, $2, 'organization', $3, $4, $5)`,
      [newId(), person.userId, other.partnerId, other.orgId, ORG_VIEWER],
    );
    expect((await confirm(person, 'not the password')).body).toMatchObject(refused);
    expect(await sessionsOf(person)).toEqual([]);
    expect((await confirm(person)).status).toBe(200);
    expect(await failuresOf(person)).toEqual(['wrong_password']);
  });

  it('counts towards the lock, which it respects', async () => {
    const person = await member();
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await confirm(person, 'not the password')).body).toMatchObject(refused);
    expect((await sso.identity.login(person.email, PASSWORD)).status).toBe(401);
    expect((await confirm(person)).body).toMatchObject(refused);
    expect(await failuresOf(person)).toEqual([...Array(5).fill('wrong_password'), 'locked', 'locked']);
  });

  it('is limited for a client and an account, together with sign-ins', async () => {
    const person = await member();
    const limited = await SsoHarness.start(
      [idp.issuer],
      { RATE_LIMITS: NO_LIMITS.replace('signInByAccount=10000/300', 'signInByAccount=2/300') },
      { replicaOf: sso.service },
    );
    expect((await limited.identity.login(person.email, 'not the password')).status).toBe(401);
    expect([
      (await confirm(person, 'not the password', limited)).status,
      (await confirm(person, PASSWORD, limited)).status,
    ]).toEqual([400, 429]);
    await limited.stop();
  });

  it('links nothing when the password was replaced while it was checked', async () => {
    const person = await member();
    expect((await overtaken(person, () => confirm(person))).body).toMatchObject(refused);
    expect(await failuresOf(person)).toEqual(['overtaken']);
    expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE user_id = $1', [person.userId])).toEqual([]);
  });

  async function park({ email }: Person): Promise<string> {
    idp.identity = { sub: `door-${++serial}`, email, email_verified: true, name: 'Some Person' };
    const answer = await sso.signIn(tenant);
    expect(errorIn(answer)).toBe('link_required');
    return /svc_sso_link=[\w-]{43}/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
  }
  const confirm = async (person: Person, password = PASSWORD, at = sso): Promise<Response> => {
    const cookie = await park(person);
    return at.anonymous.post('/sso/link/confirm').set('cookie', cookie).send({ password });
  };
  const refused = { status: 400, code: 'link_confirmation_invalid' };
});

describe('an invitation of a user who has a password', () => {
  it('counts towards the lock, which it respects', async () => {
    const { person, accept } = await invited();
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await accept('not the password')).body).toMatchObject(refused);
    expect((await accept()).body).toMatchObject(refused);
    expect(await failuresOf(person)).toEqual([...Array(5).fill('wrong_password'), 'locked']);
    await sso.service.sql('UPDATE credentials SET locked_until = NULL WHERE user_id = $1', [person.userId]);
    expect((await accept()).status).toBe(200);
  });

  it('is limited for a client and an account', async () => {
    const { accept } = await invited();
    const limited = await SsoHarness.start(
      [idp.issuer],
      { RATE_LIMITS: NO_LIMITS.replace('signInByAccount=10000/300', 'signInByAccount=2/300') },
      { replicaOf: sso.service },
    );
    const statuses = [];
    for (let attempt = 0; attempt < 3; attempt++) statuses.push((await accept('not the password', limited)).status);
    expect(statuses).toEqual([401, 401, 429]);
    await limited.stop();
  });

  it('is still open when the password was replaced while it was checked', async () => {
    const { person, accept } = await invited();
    expect((await overtaken(person, () => accept())).body).toMatchObject(refused);
    expect(await failuresOf(person)).toEqual(['overtaken']);
    expect(await membershipsOf(person)).toHaveLength(1);
    await sso.service.sql('UPDATE credentials SET password_hash = $2 WHERE user_id = $1', [
      person.userId,
      await hash(PASSWORD),
    ]);
    expect((await accept()).status).toBe(200);
  });

  it('brings the membership, and no session, where single sign-on is enforced', async () => {
    const to = await sso.tenant();
    await sso.provider(to, idp, { enforceSSO: true });
    const { person, accept } = await invited(to);
    expect((await accept()).body).toMatchObject({ status: 403, code: 'sso_enforced' });
    expect(await membershipsOf(person)).toHaveLength(2);
    expect(await sessionsOf(person)).toEqual([]);
    expect((await accept()).body.code).toBe('invitation_invalid');
  });

  async function invited(
    to?: Tenant,
  ): Promise<{ person: Person; accept: (password?: string, at?: SsoHarness) => PromiseLike<Response> }> {
    const person = await member();
    const { admin, orgId } = to ?? (await sso.tenant());
    expect(
      (
        await sso.service
          .as(admin)
          .post('/users')
          .send({ email: person.email, name: 'P', membership: { scope: 'organization', orgId, roleId: ORG_VIEWER } })
      ).status,
    ).toBe(201);
    const token = await sso.identity.mailedToken(person.email);
    return {
      person,
      accept: (password = PASSWORD, at = sso) => at.anonymous.post('/auth/accept-invite').send({ token, password }),
    };
  }
  const membershipsOf = ({ userId }: Person) => sso.service.sql('SELECT FROM memberships WHERE user_id = $1', [userId]);
  const refused = { status: 401, code: 'invalid_credentials' };
});

const PASSWORD = 'a long enough passphrase';
const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;

interface Person {
  readonly userId: string;
  readonly email: string;
}

async function member({ partnerId, orgId } = tenant): Promise<Person> {
  const email = `door-${++serial}@corp.example`;
  const { userId } = await sso.user({ email, partnerId, orgId, password: PASSWORD });
  return { userId, email };
}

const failuresOf = async ({ userId }: Person): Promise<unknown[]> =>
  (await sso.service.audits('user.login_failed'))
    .filter(({ resource }) => resource.id === userId)
    .map(({ details }) => details?.['reason']);
const sessionsOf = ({ userId }: Person) => sso.service.sql('SELECT via FROM sessions WHERE user_id = $1', [userId]);

/** The password is replaced after it was checked, and before the call goes on. */
async function overtaken({ userId }: Person, call: () => PromiseLike<Response>): Promise<Response> {
  const gate = await Gate.close(
    sso.service,
    `UPDATE credentials SET password_hash = 'another' WHERE user_id = '${userId}'`,
  );
  const answer = Promise.resolve(call());
  await gate.waited(1);
  await gate.open();
  return answer;
}
