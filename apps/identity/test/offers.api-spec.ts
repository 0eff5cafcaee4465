import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, aPartnerTechnician, anApiKey, anOrgAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { IdentityHarness } from './identity.harness.ts';

const roleId = (name: string): string => SYSTEM_ROLES.find((role) => role.name === name)?.id ?? '';

const identity = await IdentityHarness.start();
const partnerId = await identity.partner();
const orgId = await identity.org(partnerId);
const boss = await identity.administratorOf(partnerId);
afterAll(() => identity.stop());

describe('an invitation is an offer of its author', () => {
  const as = (userId = boss, partner = partnerId) => identity.service.as(aPartnerAdmin(partner, { userId }));

  it('ATK-02a: is listed and shown to people who may list users there, and withdrawn with a second factor', async () => {
    const { email, userId } = await foreigner();
    const { id } = (await invite(email)).body.data as { id: string };
    const token = await identity.mailedToken(email, 1);
    expect(await openTo(email)).toEqual([id]);
    expect((await as().get(`/users/${id}/invitation`)).body.data).toMatchObject({
      id,
      email,
      invitedBy: 'Test Person',
      membership: { orgId, roleName: 'Organization Viewer' },
      expiresAt: expect.any(String),
    });
    const orgAdmin = (overrides: object) => identity.service.as(anOrgAdmin(partnerId, orgId, overrides));
    expect(await openTo(email, orgAdmin({}))).toEqual([id]);
    const refused = [
      await identity.service.as(aPartnerAdmin(partnerId, { mfa: false })).delete(`/users/${id}/invitation`),
      await identity.service.as(anApiKey({ level: 'partner', partnerId })).delete(`/users/${id}/invitation`),
      await identity.service.as(aPartnerTechnician(partnerId)).delete(`/users/${id}/invitation`),
      await identity.service.as(aPartnerAdmin(newId())).delete(`/users/${id}/invitation`),
      await as().delete(`/users/${userId}/invitation`),
    ];
    const [unproven, unknown] = ['mfa_required', 'invitation_not_found'];
    const codes = [unproven, unproven, 'permission_denied', unknown, unknown];
    expect(refused.map(({ body }) => body.code)).toEqual(codes);
    expect((await orgAdmin({}).delete(`/users/${id}/invitation`)).body).toEqual({ success: true });
    const withdrawn = { result: 'success', partnerId, orgId, resource: { id, name: email } };
    expect((await identity.service.audits('user.invite.withdraw')).at(-1)).toMatchObject(withdrawn);
    expect((await accept(token)).body).toMatchObject({ status: 400, code: 'invitation_invalid' });
    expect(await openTo(email)).toEqual([]);
  });

  const falls: [string, (author: string) => PromiseLike<{ status: number }>][] = [
    ['deleted', (author) => as().delete(`/users/${author}`)],
    ['suspended', (author) => as().patch(`/users/${author}`).send({ status: 'suspended' })],
    [
      'demoted',
      (author) =>
        as()
          .patch(`/users/${author}`)
          .send({ membership: { scope: 'partner', roleId: roleId('Partner Technician') } }),
    ],
    [
      'confined to other organisations',
      async (author) =>
        as()
          .patch(`/users/${author}`)
          .send({
            membership: {
              scope: 'partner',
              roleId: roleId('Partner Admin'),
              orgAccess: 'selected',
              orgIds: [await identity.org(partnerId)],
            },
          }),
    ],
  ];
  it('ATK-02d: is not for an administrator of some sites to withdraw when it offers the whole organisation', async () => {
    const { id } = (await invite(anAddress())).body.data as { id: string };
    const ofOneSite = identity.service.as(anOrgAdmin(partnerId, orgId, { sites: [newId()] }));
    expect((await ofOneSite.delete(`/users/${id}/invitation`)).body.code).toBe('site_access_denied');
    expect((await as().delete(`/users/${id}/invitation`)).status).toBe(200);
  });

  it.each(falls)('ATK-02b: dies with an author who is %s, and does not come back', async (_, fall) => {
    for (const email of [anAddress(), (await foreigner()).email]) {
      const author = await identity.administratorOf(partnerId);
      const mailsBefore = identity.mails().filter((mail) => mail.includes(`To: ${email}`)).length;
      expect((await invite(email, as(author))).status).toBe(201);
      const token = await identity.mailedToken(email, mailsBefore);
      expect((await fall(author)).status).toBe(200);
      expect(await openTo(email)).toEqual([]);
      expect((await accept(token)).body).toMatchObject({ status: 400, code: 'invitation_invalid' });
      await as()
        .patch(`/users/${author}`)
        .send({ status: 'active', membership: { scope: 'partner', roleId: roleId('Partner Admin') } });
      expect((await accept(token)).body.code).toBe('invitation_invalid');
    }
  });

  it("ATK-02c: dies with a permission that is taken from its author's role", async () => {
    const permissions = ['users:write', 'users:read', 'devices:read', 'organizations:read', 'sites:read'];
    const role = (await as().post('/roles').send({ name: newId(), axis: 'partner', permissions })).body.data
      .id as string;
    const author = await identity.administratorOf(partnerId);
    await as()
      .patch(`/users/${author}`)
      .send({ membership: { scope: 'partner', roleId: role } });
    const email = anAddress();
    expect(
      (
        await invite(
          email,
          identity.service.as(aPartnerAdmin(partnerId, { userId: author, permissions: permissions as never })),
        )
      ).status,
    ).toBe(201);
    const token = await identity.mailedToken(email);
    expect(await openTo(email)).toHaveLength(1);
    await as()
      .patch(`/roles/${role}`)
      .send({ permissions: permissions.filter((one) => one !== 'sites:read') });
    expect(await openTo(email)).toEqual([]);
    expect((await accept(token)).body.code).toBe('invitation_invalid');
  });

  it('is withdrawn and audited when its author loses the right to send it (IDY-37)', async () => {
    const [author, email, own] = [await identity.administratorOf(partnerId), anAddress(), anAddress()];
    const { id } = (await invite(email, as(author))).body.data as { id: string };
    await invite(own);
    const membership = { scope: 'partner', roleId: roleId('Partner Viewer') };
    expect((await as().patch(`/users/${author}`).send({ membership })).status).toBe(200);
    const entries = (await identity.service.audits('user.invite.withdraw')).filter(
      ({ resource }) => resource.name === email || resource.name === own,
    );
    expect(entries).toEqual([
      expect.objectContaining({
        partnerId,
        orgId,
        actor: expect.objectContaining({ id: boss }),
        resource: { type: 'user', id, name: email },
        details: {
          reason: 'author_lost_authority',
          invitedBy: 'Test Person',
          changes: expect.objectContaining({ roleId: { before: roleId('Organization Viewer'), after: null } }),
        },
      }),
    ]);
    expect([await openTo(email), (await openTo(own)).length]).toEqual([[], 1]);
  });

  it('ATK-15e: mails one address five times a day for one tenant, wherever in it the person is invited', async () => {
    const email = anAddress();
    const orgs = [orgId, orgId, orgId, await identity.org(partnerId), await identity.org(partnerId), orgId];
    const statuses = [];
    for (const org of orgs) statuses.push((await invite(email, as(), { ...viewer(), orgId: org })).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    expect(await identity.service.sql('SELECT FROM invitation_mails WHERE email = $1', [email])).toHaveLength(5);
    const other = await identity.partner();
    expect(
      (
        await invite(email, as(await identity.administratorOf(other), other), {
          scope: 'partner',
          roleId: roleId('Partner Viewer'),
        })
      ).status,
    ).toBe(201);
  });

  it('is mailed again while it is open, by callers who may give what it offers, within the limit of mails (IDY-38)', async () => {
    const email = anAddress();
    const { id } = (await invite(email)).body.data as { id: string };
    const first = await identity.mailedToken(email);
    const again = (by = as(), of = id) => by.post(`/users/${of}/invitation`);
    const clerk = await identity.administratorOf(partnerId);
    const sent = await again(as(clerk));
    expect([sent.status, sent.body.data]).toMatchObject([200, { id, email, membership: { orgId } }]);
    const [resent] = (await identity.service.audits('user.invite.resend')).filter(({ result }) => result === 'success');
    expect(resent).toMatchObject({ resource: { id, name: email }, orgId });
    const technician = identity.service.as(aPartnerTechnician(partnerId));
    const refused = [
      await again(identity.service.as(aPartnerAdmin(partnerId, { mfa: false }))),
      await again(technician),
      await again(identity.service.as(anOrgAdmin(partnerId, orgId, { sites: [newId()] }))),
      await again(as(boss, await identity.partner())),
      await again(as(), newId()),
      await again(as(), clerk),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual([
      'mfa_required',
      'permission_denied',
      'site_access_denied',
      ...Array<string>(3).fill('invitation_not_found'),
    ]);
    for (let mails = 2; mails < 5; mails++) expect((await again()).status).toBe(200);
    const limited = await again();
    expect([limited.body.code, Number(limited.headers['retry-after']) > 0]).toEqual(['rate_limited', true]);
    await as().patch(`/users/${id}`).send({ status: 'suspended' });
    expect((await again()).body.code).toBe('conflict');
    await as().patch(`/users/${id}`).send({ status: 'active' });
    expect((await accept(first)).body.code).toBe('invitation_invalid');
    expect((await accept(await identity.mailedToken(email, 4))).status).toBe(200);
    expect((await again()).body.code).toBe('invitation_not_found');
  });

  it('is made at partner scope by an author who reaches selected organisations', async () => {
    const author = await identity.administratorOf(partnerId);
    const selected = { scope: 'partner', roleId: roleId('Partner Admin'), orgAccess: 'selected', orgIds: [orgId] };
    expect((await as().patch(`/users/${author}`).send({ membership: selected })).status).toBe(200);
    const limited = identity.service.as(aPartnerAdmin(partnerId, { userId: author, orgs: [orgId] }));
    const none = { scope: 'partner', roleId: roleId('Partner Viewer'), orgAccess: 'none' };
    const memberships = [selected, none, { ...none, orgAccess: 'all' }];
    const answers = [];
    for (const membership of memberships) answers.push(await invite(anAddress(), limited, membership));
    expect(answers.map(({ status, body }) => body.code ?? status)).toEqual([201, 201, 'org_access_denied']);
    const [id, other] = answers.map(({ body }) => body.data?.id as string);
    const open = async () =>
      (await limited.get('/users?status=invited&scope=partner')).body.data
        .map((user: { id: string }) => user.id)
        .sort();
    expect(await open()).toEqual([id, other].sort());
    expect((await limited.get(`/users/${id}/invitation`)).status).toBe(200);
    expect((await limited.patch(`/users/${id}`).send({ name: 'Renamed' })).status).toBe(200);
    expect((await limited.delete(`/users/${id}/invitation`)).status).toBe(200);
    expect(await open()).toEqual([other]);
    const inOrganization = identity.service.as(anOrgAdmin(partnerId, orgId, { userId: author }));
    expect((await inOrganization.get(`/users/${other}`)).status).toBe(404);
  });

  it('ATK-02e: is not replaced by a weaker offer of an author who does not reach what it offers', async () => {
    const email = anAddress();
    const whole = { scope: 'partner', roleId: roleId('Partner Admin'), orgAccess: 'all' };
    expect((await invite(email, as(), whole)).status).toBe(201);
    const author = await identity.administratorOf(partnerId);
    const selected = { scope: 'partner', roleId: roleId('Partner Admin'), orgAccess: 'selected', orgIds: [orgId] };
    await as().patch(`/users/${author}`).send({ membership: selected });
    const limited = identity.service.as(aPartnerAdmin(partnerId, { userId: author, orgs: [orgId] }));
    expect((await invite(email, limited, selected)).body.code).toBe('org_access_denied');
    expect((await accept(await identity.mailedToken(email))).status).toBe(200);
  });

  it('AUD-50 that replaces an open one is audited with what that had offered', async () => {
    const email = anAddress();
    const whole = { scope: 'partner', roleId: roleId('Partner Viewer'), orgAccess: 'all' };
    await invite(email, as(), whole);
    await invite(email, as(), { ...whole, orgAccess: 'selected', orgIds: [orgId] });
    const [first, second] = (await identity.service.audits('user.create')).slice(-2).map(({ details }) => details);
    expect(first?.['changes']).toMatchObject({ orgAccess: { before: null, after: 'all' } });
    const [orgAccess, orgIds] = [
      { before: 'all', after: 'selected' },
      { before: [], after: [orgId] },
    ];
    expect(second?.['changes']).toEqual({ orgAccess, orgIds });
  });

  it('ATK-10c: tells nothing about an account that the address has elsewhere', async () => {
    const { email, userId } = await foreigner();
    const shape = async (address: string) => {
      const invited = await invite(address);
      const { id } = invited.body.data as { id: string };
      const steps = [
        invited,
        await as().get(`/users/${id}`),
        await as().get(`/users?search=${address}`),
        await as().get(`/users/${id}/invitation`),
        await invite(address),
        await as().patch(`/users/${id}`).send({ name: 'Renamed' }),
        await as().patch(`/users/${id}`).send({ status: 'suspended' }),
        await as().patch(`/users/${id}`).send({ breakGlass: true }),
        await as().delete(`/users/${id}/mfa`),
        await as().delete(`/users/${id}`),
      ];
      const text = JSON.stringify(steps.map(({ status, body }) => [status, body])).replaceAll(address, 'ADDRESS');
      expect(text).not.toContain(userId);
      return text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
    };
    expect(await shape(email)).toBe(await shape(anAddress()));
  });

  it('takes along what the same tenant offered to a newcomer, whose other links then only sign in', async () => {
    const [email, second] = [anAddress(), await identity.org(partnerId)];
    await invite(email);
    const first = await identity.mailedToken(email);
    await invite(email, as(), { ...viewer(), orgId: second });
    const later = await identity.mailedToken(email, 1);
    expect((await accept(first)).status).toBe(200);
    expect((await identity.login(email, PASSWORD)).body.memberships).toHaveLength(2);
    const accepted = async () =>
      (await identity.service.audits('user.invite.accept')).filter(({ resource }) => resource.name === email);
    expect((await accepted()).map((entry) => entry.orgId).toSorted()).toEqual([orgId, second].toSorted());
    const wrong = { token: later, password: 'not the right password' };
    expect((await identity.anonymous.post('/auth/accept-invite').send(wrong)).status).toBe(401);
    const signedIn = await accept(later);
    expect(await identity.principalOf(signedIn.body.accessToken)).toMatchObject({ orgId: second });
    expect(await accepted()).toHaveLength(2);
  });

  it('ATK-02g: does not bring a deleted user back by the link of another one that was accepted with it', async () => {
    const [email, second] = [anAddress(), await identity.org(partnerId)];
    await invite(email);
    const first = await identity.mailedToken(email);
    await invite(email, as(), { ...viewer(), orgId: second });
    const later = await identity.mailedToken(email, 1);
    expect((await accept(first)).status).toBe(200);
    const [user] = (await as().get(`/users?search=${email}`)).body.data as { id: string }[];
    expect((await as().delete(`/users/${user?.id}`)).status).toBe(200);
    expect((await accept(later)).body).toMatchObject({ status: 400, code: 'invitation_invalid' });
    expect((await as().get(`/users?search=${email}`)).body.data).toEqual([]);
  });

  const viewer = () => ({ scope: 'organization', orgId, roleId: roleId('Organization Viewer') });
  const invite = (email: string, by = as(), membership: object = viewer()) =>
    by.post('/users').send({ email, name: 'Pat', membership });
  const accept = (token: string) => identity.anonymous.post('/auth/accept-invite').send({ token, password: PASSWORD });
  const openTo = async (email: string, by = as()) =>
    ((await by.get(`/users?status=invited&search=${email}`)).body.data as { id: string }[]).map(({ id }) => id);

  /** A person who belongs to another partner. */
  async function foreigner(): Promise<{ email: string; userId: string }> {
    const [email, elsewhere] = [anAddress(), await identity.partner()];
    const home = as(await identity.administratorOf(elsewhere), elsewhere);
    const { body } = await invite(email, home, { scope: 'partner', roleId: roleId('Partner Viewer') });
    await accept(await identity.mailedToken(email));
    return { email, userId: body.data.id };
  }
});

const PASSWORD = 'an uncommon pass phrase';
const anAddress = (): string => `${newId()}@example.test`;
