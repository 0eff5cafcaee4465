import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { PrincipalsChanged, TechnicianChanged } from '@gatehouse/contracts-identity';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, aPartnerTechnician, aSystemAdmin, anApiKey, anOrgAdmin, atOnce } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ADMIN, IdentityHarness, totp } from './identity.harness.ts';

let counter = 0;

const identity = await IdentityHarness.start();
const partnerId = await identity.partner();
const boss = await identity.administratorOf(partnerId);
const orgId = await identity.org(partnerId);
const siteId = await identity.site(partnerId, orgId);
afterAll(() => identity.stop());

describe('users', () => {
  it('are invited by mail, and sign in with the password of their choice', async () => {
    const email = anAddress();
    const invited = await invite(email.toUpperCase(), technician());
    expect(invited.status).toBe(201);
    expect(invited.body.data).toMatchObject({
      id: expect.any(String),
      email,
      name: 'Pat Person',
      status: 'invited',
      breakGlass: false,
      mfaEnrolled: false,
      memberships: [{ scope: 'partner', partnerId, orgId: null, roleName: 'Partner Technician', orgAccess: 'all' }],
    });
    expect((await identity.login(email, PASSWORD)).status).toBe(401);
    const token = await identity.mailedToken(email);
    expect(identity.mails().join()).toContain('http://localhost:3000/accept-invite?token=');
    const accepted = await accept(token);
    expect(accepted.body).toMatchObject({
      accessToken: expect.any(String),
      user: { email },
      mfa: { satisfied: false, enrolled: false },
    });
    expect(await identity.principalOf(accepted.body.accessToken)).toMatchObject({
      level: 'partner',
      partnerId,
      orgs: 'all',
      partnerActive: true,
    });
    expect((await accept(token)).body).toMatchObject({ status: 400, code: 'invitation_invalid' });
    expect((await identity.login(email, PASSWORD)).status).toBe(200);
    expect((await identity.service.audits('user.create')).at(-1)).toMatchObject({
      partnerId,
      actor: { type: 'user' },
      resource: { id: invited.body.data.id },
    });
    expect(await identity.service.sql('SELECT * FROM mail_outbox')).toHaveLength(0);
  });

  it('can be an administrator whom the operator admits when no other can sign in: by mail, audited, and no user who has an account', async () => {
    const operator = identity.service.asService('operator');
    const email = anAddress();
    const { status, body } = await operator
      .post('/internal/administrators')
      .send({ email: email.toUpperCase(), name: 'New Administrator' });
    expect(status).toBe(201);
    expect((await identity.service.audits('user.create')).at(-1)).toMatchObject({
      actor: { type: 'system' },
      resource: { id: body.userId },
      details: { scope: 'system', byOperator: true },
    });
    const accepted = await accept(await identity.mailedToken(email));
    const principal = await identity.principalOf(accepted.body.accessToken);
    expect(principal).toMatchObject({ level: 'system', orgs: 'all', permissions: ['*'] });
    expect((await operator.post('/internal/administrators').send({ email, name: 'Once more' })).body).toMatchObject({
      status: 409,
      code: 'conflict',
    });
    const person = identity.service.as(aSystemAdmin());
    const uninvited = await person.post('/internal/administrators').send({ email: anAddress(), name: 'Uninvited' });
    expect(uninvited.status).toBe(404);
  });

  it('refuses a first password that is short or common', async () => {
    const email = anAddress();
    await invite(email, technician());
    const token = await identity.mailedToken(email);
    expect((await accept(token, 'short')).body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await accept(token, 'Password1234')).body).toMatchObject({ status: 400, code: 'password_too_common' });
    expect((await accept(token)).status).toBe(200);
  });

  it('accept an invitation once, however often and at the same time they try', async () => {
    const email = anAddress();
    await invite(email, technician());
    const token = await identity.mailedToken(email);
    const answers = await atOnce(10, () => accept(token));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'invitation_invalid')).toHaveLength(9);
  });

  it('needs users:write and a second factor, and records what was refused', async () => {
    const refused = [
      await invite(anAddress(), technician(), identity.service.as(aPartnerAdmin(partnerId, { mfa: false }))),
      await invite(anAddress(), technician(), identity.service.as(anApiKey({ level: 'partner', partnerId }))),
      await invite(anAddress(), technician(), identity.service.as(aPartnerTechnician(partnerId))),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual(['mfa_required', 'mfa_required', 'permission_denied']);
    const results = (await identity.service.audits('user.create')).slice(-3).map(({ result }) => result);
    expect(results).toEqual(['denied', 'denied', 'denied']);
  });

  it('are placed only where the caller reaches, in roles that the caller holds', async () => {
    const other = await identity.partner();
    const foreignOrg = await identity.org(other);
    const orgAdmin = identity.service.as(anOrgAdmin(partnerId, orgId));
    const confined = identity.service.as(anOrgAdmin(partnerId, orgId, { sites: [siteId] }));
    const selected = identity.service.as(aPartnerAdmin(partnerId, { orgs: [orgId] }));
    const cases: [object, ReturnType<typeof admin>, number, string][] = [
      [{ ...technician(), partnerId: other }, admin(), 403, 'partner_access_denied'],
      [orgViewer(foreignOrg), admin(), 404, 'organization_not_found'],
      [orgViewer(newId()), admin(), 404, 'organization_not_found'],
      [{ scope: 'system', roleId: roleId('Partner Admin') }, admin(), 403, 'scope_denied'],
      [technician(), orgAdmin, 403, 'scope_denied'],
      [technician(), selected, 403, 'org_access_denied'],
      [orgViewer(), confined, 403, 'site_access_denied'],
      [{ ...orgViewer(), siteIds: [newId()] }, admin(), 400, 'validation_failed'],
      [{ scope: 'organization', orgId, roleId: roleId('Partner Admin') }, admin(), 400, 'validation_failed'],
      [{ scope: 'partner', roleId: newId() }, admin(), 404, 'role_not_found'],
      [
        { scope: 'partner', roleId: roleId('Partner Admin') },
        identity.service.as(aPartnerAdmin(partnerId, { permissions: ['users:write'] })),
        403,
        'role_not_grantable',
      ],
      [
        { scope: 'partner', roleId: roleId('Partner Admin') },
        identity.service.as(aSystemAdmin()),
        400,
        'partner_required',
      ],
    ];
    for (const [membership, as, status, code] of cases)
      expect((await invite(anAddress(), membership, as)).body).toMatchObject({ status, code });
    expect((await invite(anAddress(), { ...orgViewer(), siteIds: [siteId] }, confined)).status).toBe(201);
    expect(
      (await invite(anAddress(), { ...technician(), partnerId: other }, identity.service.as(aSystemAdmin()))).status,
    ).toBe(201);
  });

  it('are seen within the reach of the caller only', async () => {
    const mine = await member(orgViewer());
    const elsewhere = await identity.service.as(aPartnerAdmin(await identity.partner())).get(`/users/${mine.id}`);
    expect(elsewhere.body).toMatchObject({ status: 404, code: 'user_not_found' });
    const otherOrg = await identity.org(partnerId);
    expect((await identity.service.as(anOrgAdmin(partnerId, otherOrg)).get(`/users/${mine.id}`)).status).toBe(404);
    expect(
      (await identity.service.as(anOrgAdmin(partnerId, orgId)).get('/users')).body.data.every(
        (user: { memberships: { orgId: string }[] }) => user.memberships.every((m) => m.orgId === orgId),
      ),
    ).toBe(true);
    const page = (await admin().get(`/users?limit=2&orgId=${orgId}&search=${mine.email}`)).body;
    expect(page).toMatchObject({ data: [{ id: mine.id }], pagination: { page: 1, limit: 2, total: 1 } });
    expect((await admin().get('/users?page=900')).body).toMatchObject({
      data: [],
      pagination: { page: 900, limit: 50, total: expect.any(Number) },
    });
  });

  it('IDY-150 are found by their address in either spelling of its domain', async () => {
    const address = `zoë-${newId()}@bücher.example`;
    await admin().post('/users').send({ email: address, name: 'Zoë', membership: technician() }).expect(201);
    for (const search of [address, address.replace('bücher', 'BÜCHER'), address.replace('bücher', 'xn--bcher-kva')])
      expect((await admin().get(`/users?search=${encodeURIComponent(search)}`)).body.pagination.total).toBe(1);
  });

  it('are filtered by status, role, scope and second factor, and sorted (IDY-39)', async () => {
    const name = `Filtered ${newId()}`;
    const add = async (membership: object) => {
      const email = anAddress();
      const sent = await admin()
        .post('/users')
        .send({ email, name: `${name} ${email}`, membership });
      return { email, id: sent.body.data.id as string };
    };
    const [viewer, tech, open] = [await add(orgViewer()), await add(technician()), await add(technician())];
    for (const { email } of [viewer, tech]) await accept(await identity.mailedToken(email));
    await identity.service.sql(
      `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at) VALUES ($1, $2, 'totp', 'App', 'sealed', now())`,
      [newId(), tech.id],
    );
    await identity.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [tech.id]);
    const found = async (query: string) =>
      ((await admin().get(`/users?search=${encodeURIComponent(name)}&${query}`)).body.data as { id: string }[]).map(
        ({ id }) => id,
      );
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const cases: [string, string[]][] = [
      ['status=invited', [open.id]],
      [`expiresBefore=${inDays(8)}`, [open.id]],
      [`expiresBefore=${inDays(6)}`, []],
      ['scope=partner&mfaEnrolled=false', [open.id]],
      ['mfaEnrolled=true', [tech.id]],
      ['breakGlass=true', [tech.id]],
      ['breakGlass=false&scope=partner', [open.id]],
      [`roleId=${orgViewer().roleId}`, [viewer.id]],
      [`roleId=${orgViewer().roleId}&scope=partner`, []],
      ['sort=createdAt', [open.id, viewer.id, tech.id]],
      ['sort=-createdAt', [tech.id, viewer.id, open.id]],
      ['sort=-lastLoginAt', [tech.id, viewer.id, open.id]],
    ];
    for (const [query, ids] of cases) expect([query, await found(query)]).toEqual([query, ids]);
    const bad = await admin().get('/users?mfaEnrolled=yes&sort=password&scope=site&roleId=x&expiresBefore=soon');
    const wrong = bad.body.issues.map(({ path }: { path: string }) => path).sort();
    expect(wrong).toEqual(['expiresBefore', 'mfaEnrolled', 'roleId', 'scope', 'sort']);
  });

  it('choose among several memberships when signing in', async () => {
    const { email } = await member(orgViewer());
    const second = await identity.org(partnerId);
    expect((await invite(email, orgViewer(second))).status).toBe(201);
    expect((await invite(email, orgViewer(second))).body).toMatchObject({ status: 409, code: 'email_taken' });
    const asked = (await identity.login(email, PASSWORD)).body;
    expect(asked).toMatchObject({
      membershipRequired: true,
      memberships: [{ scope: 'organization' }, { scope: 'organization' }],
    });
    const chosen = asked.memberships.find((membership: { orgId: string }) => membership.orgId === second);
    const signedIn = await identity.login(email, PASSWORD, { membershipId: chosen.id });
    expect(await identity.principalOf(signedIn.body.accessToken)).toMatchObject({
      orgId: second,
      orgs: [second],
      sites: 'all',
    });
  });

  it('of another tenant are asked first: until they accept, nothing of theirs shows or changes', async () => {
    const { id, email } = await member(technician());
    const other = await identity.partner();
    const stranger = identity.service.as(aPartnerAdmin(other, { userId: await identity.administratorOf(other) }));
    expect((await invite(email, technician(), stranger)).status).toBe(201);
    expect((await stranger.get(`/users/${id}`)).status).toBe(404);
    expect((await stranger.patch(`/users/${id}`).send({ status: 'suspended' })).status).toBe(404);
    const token = await identity.mailedToken(email, 1);
    expect((await accept(token, 'not the password of this account')).body.code).toBe('invalid_credentials');
    expect((await identity.service.audits('user.login_failed')).at(-1)).toMatchObject({
      result: 'failure',
      resource: { id },
      details: { reason: 'wrong_password', via: 'invitation' },
    });
    const accepted = await accept(token);
    expect(await identity.principalOf(accepted.body.accessToken)).toMatchObject({ partnerId: other });
    expect((await stranger.patch(`/users/${id}`).send({ name: 'Renamed' })).body.code).toBe('partner_access_denied');
    expect((await stranger.delete(`/users/${id}`)).status).toBe(200);
    expect((await admin().get(`/users/${id}`)).body.data.memberships).toHaveLength(1);
  });

  it('lose their sessions with suspension and deletion, and their reach with a new role', async () => {
    const one = await member(technician());
    const membership = { ...technician(), roleId: roleId('Partner Viewer'), orgAccess: 'selected', orgIds: [orgId] };
    const moved = await admin().patch(`/users/${one.id}`).send({ membership });
    expect(moved.body.data.memberships).toMatchObject([
      { roleName: 'Partner Viewer', orgAccess: 'selected', orgIds: [orgId] },
    ]);
    expect(await identity.principalOf(one.accessToken)).toMatchObject({
      orgs: [orgId],
      permissions: expect.not.arrayContaining(['devices:execute']),
    });
    expect((await identity.service.emitted(PrincipalsChanged)).at(-1)?.data.userIds).toEqual([one.id]);
    expect((await identity.service.emitted(TechnicianChanged)).at(-1)?.data).toMatchObject({
      userId: one.id,
      active: true,
      reaches: [{ level: 'partner', partnerId, allOrgs: false, orgIds: [orgId], siteIds: [] }],
    });
    const demoted = await admin().patch(`/users/${one.id}`).send({ membership: orgViewer() });
    expect(demoted.body.data.memberships).toMatchObject([{ scope: 'organization', orgId }]);
    expect(await identity.introspect(one.accessToken)).toMatchObject({ active: false });
    await admin().patch(`/users/${one.id}`).send({ status: 'suspended' });
    expect((await identity.login(one.email, PASSWORD)).status).toBe(401);
    for (let at = 0; at < 2; at++) await admin().patch(`/users/${one.id}`).send({ status: 'active', name: 'New Name' });
    const audits = await identity.service.audits('user.update');
    expect(audits.filter(({ resource }) => resource.id === one.id)).toHaveLength(4);
    const again = await identity.login(one.email, PASSWORD);
    expect(again.body.user.name).toBe('New Name');
    expect((await admin().delete(`/users/${one.id}`)).body).toEqual({ success: true });
    expect(await identity.introspect(again.body.accessToken)).toMatchObject({ active: false });
    const versions = (await identity.service.emitted(TechnicianChanged))
      .filter(({ data }) => data.userId === one.id)
      .map(({ data }) => data.version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
    expect((await admin().patch(`/users/${one.id}`).send({})).body.code).toBe('no_updates_provided');
    expect((await admin().patch(`/users/${one.id}`).send({ name: 'x' })).status).toBe(404);
  });

  it('of two organisations are changed in one of them on its record, which tells nothing of the other', async () => {
    const [person, second] = [await member(orgViewer()), await identity.org(partnerId)];
    await admin()
      .post('/users')
      .send({ email: person.email, name: 'P', membership: orgViewer(second) })
      .expect(201);
    const membership = { ...orgViewer(second), roleId: roleId('Organization Technician') };
    await admin().patch(`/users/${person.id}`).send({ membership }).expect(200);
    const entry = (await identity.service.audits('user.update')).at(-1);
    expect(entry).toMatchObject({ orgId: second, resource: { id: person.id } });
    expect(entry?.details['changes']).toMatchObject({
      memberships: { before: [{ roleName: 'Organization Viewer' }], after: [{ roleName: 'Organization Technician' }] },
    });
    expect(JSON.stringify(entry)).not.toContain(orgId);
  });

  it('who are suspended stay so where they are moved, and are suspended where one request moves them', async () => {
    const [person, second] = [await member(orgViewer()), await identity.org(partnerId)];
    const patch = async (body: object) => (await admin().patch(`/users/${person.id}`).send(body)).body.data;
    const signIn = async () => (await identity.login(person.email, PASSWORD)).status;
    await patch({ status: 'suspended' });
    const moved = { status: 'suspended', memberships: [{ orgId: second }] };
    expect(await patch({ membership: orgViewer(second) })).toMatchObject(moved);
    expect(await signIn()).toBe(401);
    expect(await patch({ status: 'active' })).toMatchObject({ ...moved, status: 'active' });
    expect(await signIn()).toBe(200);
    const back = { status: 'suspended', memberships: [{ orgId }] };
    expect(await patch({ status: 'suspended', membership: orgViewer() })).toMatchObject(back);
    expect(await signIn()).toBe(401);
    expect((await identity.service.emitted(TechnicianChanged)).at(-1)?.data).toMatchObject({ active: false });
  });

  it('may be at most two break-glass people of one owner, each with a second factor', async () => {
    const owner = await identity.org(partnerId);
    const answers = [];
    for (let at = 0; at < 3; at++) {
      const person = await member(orgViewer(owner));
      if (at === 0) expect((await admin().patch(`/users/${person.id}`).send({ breakGlass: true })).status).toBe(400);
      const client = await identity.holding(person.accessToken);
      const { secret } = (await client.post('/auth/mfa/totp/enroll')).body;
      await client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) });
      answers.push((await admin().patch(`/users/${person.id}`).send({ breakGlass: true })).body.code ?? 'set');
    }
    expect(answers).toEqual(['set', 'set', 'break_glass_limit_reached']);
  });

  it('who lost their second factor are freed of it by who may grant all that they hold, and lose every session with it', async () => {
    const person = await member(technician());
    const own = await identity.holding(person.accessToken);
    const { secret } = (await own.post('/auth/mfa/totp/enroll')).body as { secret: string };
    const enrolled = (await own.post('/auth/mfa/totp/confirm').send({ code: totp(secret) })).body as {
      accessToken: string;
    };
    const reset = (as = admin()) => as.delete(`/users/${person.id}/mfa`);
    const refusals = [
      aPartnerAdmin(partnerId, { mfa: false }),
      aPartnerTechnician(partnerId),
      aPartnerAdmin(partnerId, { permissions: ['users:write'] }),
      aPartnerAdmin(newId()),
      aPartnerAdmin(partnerId, { userId: person.id }),
    ];
    const codes = [];
    for (const principal of refusals) codes.push((await reset(identity.service.as(principal))).body.code);
    expect(codes).toEqual(['mfa_required', 'permission_denied', 'role_not_grantable', 'user_not_found', 'conflict']);
    const refused = (await identity.service.audits('user.mfa.remove')).filter(
      ({ resource }) => resource.id === person.id,
    );
    expect(refused.map(({ resource }) => resource.type)).toEqual(['user', 'user', 'user', 'user']);
    await identity.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [person.id]);
    expect((await reset()).body.code).toBe('conflict');
    await identity.service.sql('UPDATE users SET break_glass = false WHERE id = $1', [person.id]);
    expect((await identity.login(person.email, PASSWORD)).body).toMatchObject({ mfaRequired: true });

    expect((await reset()).body).toEqual({ success: true });
    expect(await identity.introspect(enrolled.accessToken)).toMatchObject({ active: false });
    expect((await identity.service.audits('user.mfa.remove')).at(-1)).toMatchObject({
      result: 'success',
      partnerId,
      resource: { id: person.id },
      details: { reason: 'reset', kinds: ['totp'] },
    });
    expect(await identity.service.sql('SELECT FROM recovery_codes WHERE user_id = $1', [person.id])).toEqual([]);
    expect((await identity.login(person.email, PASSWORD)).body).toMatchObject({
      mfa: { satisfied: false, enrolled: false },
    });
    expect((await reset()).body.code).toBe('factor_not_found');
  });

  it('of several tenants keep their second factor, unless who resets it reaches all of them', async () => {
    const { id } = await member(technician());
    const elsewhere = await identity.partner();
    await identity.service.sql(
      `INSERT INTO memberships (id, user_id, level, partner_id, role_id) VALUES ($1, $2, 'partner', $3, $4)`,
      [newId(), id, elsewhere, roleId('Partner Viewer')],
    );
    await identity.service.sql(
      `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at) VALUES ($1, $2, 'totp', 'x', 'x', now())`,
      [newId(), id],
    );
    expect((await admin().delete(`/users/${id}/mfa`)).body.code).toBe('partner_access_denied');
    expect((await identity.service.as(aSystemAdmin()).delete(`/users/${id}/mfa`)).body).toEqual({ success: true });
  });

  it('of an archived or deleted organisation cannot go on, and come back with it (TOK-06, TOK-12)', async () => {
    const closing = await identity.org(partnerId);
    const person = await member(orgViewer(closing));
    const state = { orgId: closing, partnerId, name: 'Closing', mergedIntoId: null };
    await identity.service.deliver(OrganizationChanged, { ...state, status: 'archived', deleted: false, version: 3 });
    expect(await identity.introspect(person.accessToken)).toMatchObject({ active: false });
    expect((await identity.anonymous.post('/auth/refresh').send({ refreshToken: person.refreshToken })).status).toBe(
      401,
    );
    await identity.service.deliver(OrganizationChanged, { ...state, status: 'active', deleted: false, version: 2 });
    expect(await identity.introspect(person.accessToken)).toMatchObject({ active: false });
    await identity.service.deliver(OrganizationChanged, { ...state, status: 'active', deleted: false, version: 4 });
    expect(await identity.introspect(person.accessToken)).toMatchObject({ active: true });
  });

  it('of a suspended partner sign in, and are told so to every service', async () => {
    const suspended = await identity.partner('suspended');
    const email = anAddress();
    await invite(
      email,
      { ...technician(), partnerId: suspended },
      identity.service.as(aSystemAdmin({ userId: await identity.administratorOf(null) })),
    );
    const { body } = await accept(await identity.mailedToken(email));
    expect(await identity.principalOf(body.accessToken)).toMatchObject({ partnerActive: false });
    expect((await (await identity.holding(body.accessToken)).get('/auth/me')).status).toBe(200);
    expect((await (await identity.holding(body.accessToken)).get('/users')).body.code).toBe('partner_inactive');
  });

  it('do not change below an archived organisation, where their access can only be ended (TEN-40)', async () => {
    const archived = await identity.org(partnerId);
    const { id } = await member(orgViewer(archived));
    await identity.service.sql("UPDATE org_ref SET status = 'archived' WHERE org_id = $1", [archived]);
    const codeOf = async (body: object) => (await admin().patch(`/users/${id}`).send(body)).body.code;
    for (const body of [{ name: 'New' }, { status: 'active' }, { membership: orgViewer() }])
      expect([body, await codeOf(body)]).toEqual([body, 'organization_frozen']);
    expect(await codeOf({ status: 'suspended' })).toBeUndefined();
  });

  it('cannot suspend or delete themselves, or reset their own factor, however their id is written', async () => {
    const { body } = await identity.login(ADMIN.email, ADMIN.password);
    const self = identity.service.as({ ...(await identity.principalOf(body.accessToken)), mfa: true });
    const id = body.user.id as string;
    for (const written of [id, id.toUpperCase()]) {
      expect((await self.patch(`/users/${written}`).send({ status: 'suspended' })).body.code).toBe('conflict');
      expect((await self.delete(`/users/${written}`)).body.code).toBe('conflict');
      expect((await self.delete(`/users/${written}/mfa`)).body).toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining('your own factors'),
      });
    }
  });

  const admin = () => identity.service.as(aPartnerAdmin(partnerId, { userId: boss }));
  const invite = (email: string, membership: object, as = admin()) =>
    as.post('/users').send({ email, name: 'Pat Person', membership });
  const technician = () => ({ scope: 'partner', roleId: roleId('Partner Technician') });
  const orgViewer = (org = orgId) => ({ scope: 'organization', orgId: org, roleId: roleId('Organization Viewer') });
  const accept = (token: string, password = PASSWORD) =>
    identity.anonymous.post('/auth/accept-invite').send({ token, password });

  async function member(
    membership: object,
  ): Promise<{ id: string; email: string; accessToken: string; refreshToken: string }> {
    const email = anAddress();
    const { body } = await invite(email, membership);
    const accepted = await accept(await identity.mailedToken(email));
    return { id: body.data.id, email, ...accepted.body };
  }
});

const roleId = (name: string): string => SYSTEM_ROLES.find((role) => role.name === name)?.id ?? '';
const PASSWORD = 'an uncommon pass phrase';
const anAddress = (): string => `person${++counter}@example.test`;
