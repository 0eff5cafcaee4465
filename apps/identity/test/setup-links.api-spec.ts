import type { Principal } from '@gatehouse/contracts-core';
import { SetupLinkCompleted } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { startFakeDns } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { DeliverMail } from '../src/mail/deliver-mail.ts';
import { landing, startScriptedIdp, SsoHarness, type Tenant } from './sso.harness.ts';

const READER = '00000000-0000-7000-8000-000000000003';

const idp = await startScriptedIdp();
const dns = await startFakeDns();
const limits = 'setupVisit=10000/300';
const sso = await SsoHarness.start([idp.issuer], { DNS_SERVERS: dns.address, RATE_LIMITS: limits });
afterAll(async () => {
  await sso.stop();
  await dns.stop();
  await idp.stop();
});

describe('a set-up link', () => {
  let tenant: Tenant;
  let author: Principal;
  let authorEmail: string;
  beforeEach(async () => {
    tenant = await sso.tenant();
    authorEmail = `tech-${newId()}@msp.example`;
    const { userId, membershipId } = await sso.user({
      email: authorEmail,
      partnerId: tenant.partnerId,
      role: ADMINISTRATOR,
    });
    author = { ...tenant.admin, id: userId, userId, membershipId };
  });

  it('is made with its address, shown once, and the token stands in the fragment alone (SETUP-01)', async () => {
    const { status, body } = await make({ recipientEmail: 'it@customer.example', type: 'saml', expiresInHours: 2 });
    const { url, ...shown } = body.data as Member;
    expect([status, shown]).toEqual([
      201,
      {
        id: expect.any(String),
        ownerScope: 'organization',
        orgId: tenant.orgId,
        partnerId: null,
        providerId: null,
        purpose: 'configure',
        type: 'saml',
        preset: null,
        recipientEmail: 'it@customer.example',
        mayActivate: false,
        defaultRoleId: null,
        autoProvision: false,
        withProvisioning: false,
        status: 'open',
        expiresAt: expect.any(String),
        createdBy: author.userId,
        createdAt: expect.any(String),
        lastOpenedAt: null,
      },
    ]);
    expect(url).toMatch(/^http:\/\/localhost:3000\/sso-setup#[\w-]{43}$/);
    expect((Date.parse(shown['expiresAt']) - Date.parse(shown['createdAt'])) / 3_600_000).toBeCloseTo(2);
    const listed = await sso.service.as(author).get(`/sso/setup-links?orgId=${tenant.orgId}`);
    expect(listed.body.data).toEqual([shown]);
    expect(JSON.stringify(await sso.service.sql('SELECT * FROM sso_setup_links'))).not.toContain(tokenIn(String(url)));
    expect((await open(`${tokenIn(String(url))}x`)).status).toBe(401);
  });

  it.each([
    ['a purpose that does not exist', { purpose: 'repair' }, 400, 'validation_failed'],
    ['provisioning', { purpose: 'provisioning' }, 400, 'validation_failed'],
    ['provisioning in the same link', { withProvisioning: true }, 400, 'validation_failed'],
    ['accounts without a role', { autoProvision: true }, 400, 'validation_failed'],
    ['a preset of the other protocol', { type: 'saml', preset: 'okta' }, 400, 'validation_failed'],
    ['a preset that does not exist', { preset: 'nobody' }, 400, 'validation_failed'],
    ['more hours than thirty days', { expiresInHours: 721 }, 400, 'validation_failed'],
    ['a provider that does not exist', { providerId: newId() }, 404, 'sso_provider_not_found'],
    ['an organisation that does not exist', { orgId: newId() }, 404, 'organization_not_found'],
  ])('is refused with %s', async (_, body, status, code) => {
    const answer = await make(body);
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it('is refused for an active provider, beyond five open ones, and to whom may not grant what it can give', async () => {
    const providerId = await sso.provider(tenant, idp);
    expect(codeOf(await make({ providerId }))).toBe('sso_provider_active');
    for (let count = 0; count < 5; count++) await link();
    expect(codeOf(await make())).toBe('setup_link_limit_reached');
    const weak = { ...author, permissions: ['organizations:write'] as Principal['permissions'] };
    const refused = await make({ defaultRoleId: TECHNICIAN }, weak);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'role_not_grantable']);
  });

  it('leads its visitor to a provider that is inactive and stands in the author’s authority (SSO-163)', async () => {
    const { token, id } = await link({ defaultRoleId: TECHNICIAN });
    const visitor = await visit(token);
    const before = (await visitor.view()).body.data as Member;
    expect(before).toMatchObject({
      organizationName: expect.any(String),
      partnerName: `Partner ${tenant.partnerId}`,
      provider: null,
      steps: { configured: false, domainVerified: false, tested: false, completed: false },
      missing: ['configured', 'domainVerified', 'tested'],
    });
    expect(before['copyValues']).toMatchObject({ callbackUrl: expect.stringContaining('/sso/callback') });
    const made = await visitor.put(oidc());
    expect([made.status, made.body.data.provider]).toEqual([
      200,
      expect.objectContaining({ status: 'inactive', issuer: idp.issuer, hasClientSecret: true, configVersion: 1 }),
    ]);
    expect(JSON.stringify(made.body)).not.toMatch(new RegExp(`${author.userId}|${idp.clientSecret}`));
    const [stored] = await providers();
    expect(stored).toMatchObject({
      status: 'inactive',
      default_role_id: TECHNICIAN,
      auto_provision: true,
      created_by: author.userId,
    });
    expect(await sso.service.audits('sso.provider.create')).toContainEqual(
      expect.objectContaining({
        actor: { type: 'setup_link', id, name: null },
        details: expect.objectContaining({ setupLinkId: id, visitId: expect.any(String) }),
      }),
    );
  });

  it('keeps its visitor away from status, enforcement, roles, trust and people (SETUP-04)', async () => {
    const visitor = await visit((await link()).token);
    expect((await visitor.put(oidc())).status).toBe(200);
    const before = await providers();
    const closed = {
      enforceSSO: true,
      defaultRoleId: TECHNICIAN,
      autoProvision: true,
      status: 'active',
      trustsIdpMfa: true,
      allowedDomains: 'evil.example',
      orgId: newId(),
      subjectClaim: 'oid',
      mfaEvidence: ['acr'],
      tokenUrl: idp.issuer,
    };
    for (const [name, value] of Object.entries(closed)) {
      const answer = await visitor.put({ ...oidc(), configVersion: 1, [name]: value });
      expect([name, answer.status, answer.body.issues]).toEqual([
        name,
        400,
        [expect.objectContaining({ path: name, message: expect.stringContaining('is not known') })],
      ]);
    }
    expect(await providers()).toEqual(before);
  });

  it('replaces the settings as a whole, keeps a secret that is left out, and refuses an older version (SETUP-08)', async () => {
    const { token } = await link();
    const [first, second] = [await visit(token), await visit(token)];
    await first.put({ ...oidc(), scopes: 'openid email' });
    expect(codeOf(await second.put(oidc()))).toBe('validation_failed');
    const { clientSecret: _, ...withoutSecret } = oidc();
    const later = await second.put({ ...withoutSecret, clientId: 'other', configVersion: 1 });
    expect(later.body.data.provider).toMatchObject({
      clientId: 'other',
      hasClientSecret: true,
      scopes: 'openid profile email',
      configVersion: 2,
    });
    const stale = await first.put({ ...oidc(), configVersion: 1 });
    expect([stale.status, codeOf(stale)]).toEqual([409, 'conflict']);
    expect((await first.view()).body.data.provider.clientId).toBe('other');
  });

  it('lets one of two visitors win who change only a name, a preset or an expiry (SETUP-20)', async () => {
    const { token } = await link();
    const [first, second] = [await visit(token), await visit(token)];
    await first.put(oidc());
    const after = (days: number) => ({ clientSecretExpiresAt: new Date(Date.now() + days * 86_400_000).toISOString() });
    const names = { mine: { name: 'Mine' }, yours: { name: 'Yours' } };
    const pairs = [{ mine: { preset: 'okta' }, yours: {} }, names, { mine: after(30), yours: after(60) }];
    const settings = { type: 'oidc', issuer: idp.issuer, clientId: idp.clientId, scopes: 'openid profile email' };
    for (const { mine, yours } of pairs) {
      const { configVersion } = (await second.view()).body.data.provider as { configVersion: number };
      expect((await first.put({ ...settings, ...mine, configVersion })).body.data.provider).toMatchObject(mine);
      expect(codeOf(await second.put({ ...settings, ...yours, configVersion }))).toBe('conflict');
      expect((await second.view()).body.data.provider).toMatchObject(mine);
    }
  });

  it('has the preset of its link while the visitor names none', async () => {
    const visitor = await visit((await link({ type: 'oidc', preset: 'okta' })).token);
    expect((await visitor.put(oidc())).body.data.provider.scopes).toContain('groups');
  });

  it('makes one provider, however many visits make one at once (SETUP-08)', async () => {
    const { token } = await link();
    const visitors = await Promise.all([1, 2, 3].map(() => visit(token)));
    const statuses = (await Promise.all(visitors.map((visitor) => visitor.put(oidc())))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(await providers()).toHaveLength(1);
  });

  it('takes what its type allows, discovers the issuer, and leaves an active provider alone', async () => {
    const visitor = await visit((await link({ type: 'oidc' })).token);
    expect((await visitor.put({ type: 'saml' })).body.issues[0].path).toBe('type');
    expect((await visitor.put({ ...oidc(), preset: 'nobody' })).body.issues[0].path).toBe('preset');
    expect(codeOf(await visitor.put({ ...oidc(), issuer: `${idp.issuer}/elsewhere` }))).toBe('oidc_discovery_failed');
    expect(await providers()).toEqual([]);
    await visitor.put(oidc());
    const [{ id } = { id: '' }] = (await providers()) as { id: string }[];
    await sso.service.as(tenant.admin).post(`/sso/providers/${id}/status`).send({ status: 'active' });
    const answer = await visitor.put({ ...oidc(), configVersion: 2 });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'sso_provider_active']);
  });

  it.each<[string, (link: Member) => Promise<unknown>]>([
    ['is revoked', ({ id }) => sso.service.as(author).delete(`/sso/setup-links/${id}`)],
    [
      'has expired',
      ({ id }) => sso.service.sql(`UPDATE sso_setup_links SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]),
    ],
    ['is finished', ({ id }) => sso.service.sql('UPDATE sso_setup_links SET completed_at = now() WHERE id = $1', [id])],
    [
      'had its hour',
      ({ id }) => sso.service.sql('UPDATE sso_setup_visits SET expires_at = now() WHERE link_id = $1', [id]),
    ],
    [
      'has an author who was removed',
      () => sso.service.sql('DELETE FROM memberships WHERE id = $1', [author.membershipId]),
    ],
    [
      'has an author who was suspended',
      () => sso.service.sql(`UPDATE users SET status = 'suspended' WHERE id = $1`, [author.userId]),
    ],
    [
      'has an author who lost the permission',
      () => sso.service.sql('UPDATE memberships SET role_id = $2 WHERE id = $1', [author.membershipId, READER]),
    ],
    [
      'has an author who no longer reaches the organisation',
      () => sso.service.sql(`UPDATE memberships SET org_access = 'none' WHERE id = $1`, [author.membershipId]),
    ],
    [
      'has an owner that merges',
      () => sso.service.sql(`UPDATE org_ref SET status = 'merging' WHERE org_id = $1`, [tenant.orgId]),
    ],
  ])('whose visit %s is closed at the next call (SETUP-02)', async (_, end) => {
    const made = await link();
    const visitor = await visit(made.token);
    expect((await visitor.view()).status).toBe(200);
    await end(made);
    const answers = [await visitor.view(), await visitor.put(oidc()), await visitor.post('complete')];
    expect(answers.map((answer) => [answer.status, codeOf(answer)])).toEqual(
      answers.map(() => [401, 'setup_link_invalid']),
    );
    expect(await providers()).toEqual([]);
  });

  it('hands its visitor the rights of the author at that moment, not of the day it was made', async () => {
    const visitor = await visit((await link({ defaultRoleId: TECHNICIAN })).token);
    expect((await visitor.view()).body.data).toMatchObject({ defaultRoleId: TECHNICIAN, autoProvision: true });
    const [role] = await sso.service.sql<{ id: string }>(
      `INSERT INTO roles (id, partner_id, name, axis, permissions) VALUES ($1, $2, 'Sign-on', 'partner', $3) RETURNING id`,
      [newId(), tenant.partnerId, ['organizations:write', 'organizations:read']],
    );
    await sso.service.sql('UPDATE memberships SET role_id = $2 WHERE id = $1', [author.membershipId, role?.id]);
    const refused = await visitor.put(oidc());
    expect([refused.status, codeOf(refused)]).toEqual([403, 'role_not_grantable']);
    expect(await providers()).toEqual([]);
  });

  it('that was forwarded is useless without the mailed code (SETUP-06)', async () => {
    const address = `it-${newId()}@customer.example`;
    const { token } = await link({ recipientEmail: address });
    const codes = async (count: number) =>
      (await mailsTo(address, count)).map((mail) => /^(\d{6})\r?$/m.exec(mail)?.[1] ?? '');
    expect((await open(token)).body).toEqual({ data: { codeRequired: true } });
    const [code = ''] = await codes(1);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 5; tries++) expect(codeOf(await open(token, wrong))).toBe('setup_code_invalid');
    expect(codeOf(await open(token, code))).toBe('setup_code_invalid');
    await open(token);
    const second = (await codes(2)).find((one) => one !== code) ?? code;
    expect((await open(token, second)).body.data.visitToken).toMatch(/^ghv_[\w-]{43}$/);
    expect(codeOf(await open(token, second))).toBe('setup_code_invalid');
    await open(token);
    await open(token);
    expect((await open(token)).body).toEqual({ data: { codeRequired: true } });
    const sent = await sso.service.sql('SELECT codes_sent_at FROM sso_setup_links WHERE recipient_email = $1', [
      address,
    ]);
    expect((sent[0] as { codes_sent_at: unknown[] }).codes_sent_at).toHaveLength(3);
  });

  it('reaches nothing of another owner (SETUP-03)', async () => {
    const other = await sso.tenant(tenant.partnerId);
    const foreign = await sso.service
      .as(other.admin)
      .post('/sso/domains')
      .send({ orgId: other.orgId, domain: `${newId()}.example` });
    const visitor = await visit((await link()).token);
    expect(codeOf(await visitor.post(`domains/${foreign.body.data.id}/verify`))).toBe('sso_domain_not_found');
    const providerId = await sso.provider(other, idp);
    expect(codeOf(await make({ providerId }))).toBe('sso_provider_not_found');
    const { id } = await link();
    const stranger = await sso.tenant();
    for (const answer of [
      await sso.service.as(stranger.admin).get(`/sso/setup-links/${id}`),
      await sso.service.as(stranger.admin).delete(`/sso/setup-links/${id}`),
    ])
      expect([answer.status, codeOf(answer)]).toEqual([404, 'setup_link_not_found']);
  });

  it('adds and proves the mail domain, which counts as a step', async () => {
    const visitor = await visit((await link()).token);
    const { recordName, recordValue, id } = (await visitor.post('domains', { domain: `${newId()}.example` })).body.data;
    expect(codeOf(await visitor.post(`domains/${id}/verify`))).toBe('domain_not_verified');
    dns.records[recordName] = { TXT: [recordValue] };
    expect((await visitor.post(`domains/${id}/verify`)).body.data.verified).toBe(true);
    const { steps, domains } = (await visitor.view()).body.data;
    expect([steps.domainVerified, domains[0].id]).toEqual([true, id]);
  });

  it('answers a repeated request of a visit from its own Idempotency-Key, never from one of the author (SSO-190)', async () => {
    const visitor = await visit((await link()).token);
    await visitor.put(oidc());
    const [key, domain] = [newId(), `${newId()}.example`];
    const add = () => visitor.post('domains', { domain }).set('idempotency-key', key);
    const [first, again] = [await add(), await add()];
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    const other = await visitor.post('domains', { domain: `${newId()}.example` }).set('idempotency-key', key);
    expect(codeOf(other)).toBe('idempotency_key_reused');
    const byAuthor = sso.service.as({ ...author, confined: true });
    const { orgId } = tenant;
    const own = byAuthor
      .post('/sso/domains')
      .set('idempotency-key', key)
      .send({ orgId, domain: `${newId()}.example` });
    expect((await own).status).toBe(201);
    const test = newId();
    const { id } = (await visitor.post('test-sign-ins').set('idempotency-key', test)).body.data;
    expect((await visitor.post('test-sign-ins').set('idempotency-key', test)).body).toMatchObject({
      status: 409,
      code: 'idempotency_secret_shown',
      id,
    });
  });

  it('cannot be finished before its steps are, or switch on what it may not (SSO-168)', async () => {
    const visitor = await visit((await link()).token);
    const early = await visitor.post('complete');
    expect([early.status, codeOf(early), early.body.missing]).toEqual([
      409,
      'setup_incomplete',
      ['configured', 'domainVerified', 'tested'],
    ]);
    expect(codeOf(await visitor.post('complete', { activate: true }))).toBe('permission_denied');
    expect(await sso.service.audits('sso.setup_link.complete')).toContainEqual(
      expect.objectContaining({ result: 'denied', actor: expect.objectContaining({ type: 'setup_link' }) }),
    );
    expect((await visitor.view()).status).toBe(200);
  });

  /** A visitor who has set up everything but the test. */
  async function nearlyDone(more: object = {}): Promise<{ visitor: Visitor; made: Member; domain: string }> {
    const made = await link(more);
    const visitor = await visit(made['token']);
    await visitor.put(oidc());
    const domain = `${newId()}.example`;
    const { recordName, recordValue, id } = (await visitor.post('domains', { domain })).body.data;
    dns.records[recordName] = { TXT: [recordValue] };
    await visitor.post(`domains/${id}/verify`);
    return { visitor, made, domain };
  }

  async function test(visitor: Visitor, email: string): Promise<{ id: string; landing: string }> {
    idp.identity = { sub: newId(), email, email_verified: true, name: 'Ada' };
    const begun = await visitor.post('test-sign-ins');
    expect(begun.status).toBe(201);
    const cookie = String([begun.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
    const { id, url } = begun.body.data;
    return { id, landing: landing(await sso.callback(await sso.wayBack({ url, cookie, setCookie: '' }), cookie)) };
  }

  it('is finished after a test that reached the mail domain; its author hears of it and the link ends (SSO-168)', async () => {
    const { visitor, made, domain } = await nearlyDone({ mayActivate: true });
    const { id, landing: page } = await test(visitor, `ada@${domain}`);
    expect(page).toBe(`/sso-setup?attempt=${id}`);
    const seen = await visitor.get(`test-sign-ins/${id}`);
    expect(seen.body.data).toMatchObject({ id, status: 'done', attempt: { kind: 'test', trace: expect.anything() } });
    const stranger = await visit((await link())['token']);
    expect(codeOf(await stranger.get(`test-sign-ins/${id}`))).toBe('sso_attempt_not_found');
    expect((await visitor.view()).body.data.missing).toEqual([]);

    const done = await visitor.post('complete', { activate: true });
    expect([done.status, done.body.data.steps]).toEqual([
      200,
      { configured: true, domainVerified: true, tested: true, completed: true },
    ]);
    expect(done.body.data.provider.status).toBe('active');
    expect(codeOf(await visitor.view())).toBe('setup_link_invalid');
    expect((await open(made['token'])).status).toBe(401);
    const { status, providerId } = (await sso.service.as(author).get(`/sso/setup-links/${made['id']}`)).body.data;
    expect(status).toBe('completed');
    const ofLink = (await sso.service.audits()).filter(({ details }) => details['setupLinkId'] === made['id']);
    expect(ofLink.map(({ action, actor: { type } }) => [action, type])).toEqual([
      ['sso.setup_link.open', 'setup_link'],
      ['sso.provider.create', 'setup_link'],
      ['sso.domain.create', 'setup_link'],
      ['sso.domain.verify', 'setup_link'],
      ['sso.provider.test', 'setup_link'],
      ['sso.provider.status.update', 'setup_link'],
      ['sso.setup_link.complete', 'setup_link'],
    ]);
    const visits = new Set(ofLink.map(({ details }) => details['visitId']));
    expect([...visits]).toEqual([expect.any(String)]);
    const completions = (await sso.service.emitted(SetupLinkCompleted)).map(({ data }) => data);
    expect(completions).toContainEqual(
      expect.objectContaining({ setupLinkId: made['id'], providerId, orgId: tenant.orgId, activated: true }),
    );
    const [told] = await mailsTo(authorEmail, 1);
    expect(told).toContain('Single sign-on is set up');
    expect(told).toContain(`/sign-on/${providerId}\r\n`);
  });

  it('of the partner’s own provider needs no mail domain, and is listed with the partner’s (SSO-168)', async () => {
    const made = await link({ orgId: undefined, ownerScope: 'partner', mayActivate: true });
    const visitor = await visit(made['token']);
    expect((await visitor.view()).body.data).toMatchObject({
      organizationName: null,
      missing: ['configured', 'tested'],
    });
    expect(codeOf(await visitor.post('domains', { domain: 'mine.example' }))).toBe('org_required');
    expect((await visitor.put(oidc())).status).toBe(200);
    const { id } = await test(visitor, `ada-${newId()}@msp.example`);
    const { trace } = (await visitor.get(`test-sign-ins/${id}`)).body.data.attempt;
    expect(trace.verdict).toBe('not_told');
    expect((await visitor.post('complete', { activate: true })).body.data.provider.status).toBe('active');
    const listed = await sso.service.as(author).get('/sso/setup-links?scope=partner');
    expect(listed.body.data).toMatchObject([
      { id: made['id'], ownerScope: 'partner', orgId: null, status: 'completed' },
    ]);
  });

  it('counts no test that failed before the mail domain, and none of earlier settings', async () => {
    const { visitor, domain } = await nearlyDone();
    await test(visitor, '');
    expect((await visitor.view()).body.data.missing).toEqual(['tested']);
    await test(visitor, `ada@${domain}`);
    expect((await visitor.view()).body.data.missing).toEqual([]);
    await visitor.put({ ...oidc(), scopes: 'openid email profile offline_access', configVersion: 1 });
    expect((await visitor.view()).body.data.missing).toEqual(['tested']);
    expect(codeOf(await visitor.post('complete'))).toBe('setup_incomplete');
  });

  it.each([
    ['a document type', { xml: '<!DOCTYPE x []><x/>' }, 'saml_metadata_invalid'],
    ['an address inside the network', { url: 'https://10.0.0.1/metadata' }, 'saml_metadata_unreachable'],
    ['an address of this machine', { url: 'http://localhost:1/metadata' }, 'saml_metadata_unreachable'],
    ['nothing', {}, 'validation_failed'],
  ])('reads no metadata from %s (SETUP-05)', async (_, body, code) => {
    const visitor = await visit((await link()).token);
    const answer = await visitor.post('metadata', body);
    expect([answer.status, codeOf(answer)]).toEqual([400, code]);
  });

  it('shows who visited, and whose token is wrong sees nothing', async () => {
    const { id, token } = await link();
    await visit(token);
    const { visits, lastOpenedAt } = (await sso.service.as(author).get(`/sso/setup-links/${id}`)).body.data;
    expect([visits, lastOpenedAt]).toEqual([
      [expect.objectContaining({ openedAt: expect.any(String), lastSeenAt: expect.any(String) })],
      expect.any(String),
    ]);
    for (const unknown of [`ghv_${'x'.repeat(43)}`, 'ghv_x']) {
      const answer = await visitorWith(unknown).view();
      expect([unknown, answer.status, codeOf(answer)]).toEqual([unknown, 401, 'setup_link_invalid']);
    }
    expect((await sso.service.as(author).get('/sso/setup')).status).toBe(401);
  });

  const make = (more: object = {}, by = author) =>
    sso.service
      .as(by)
      .post('/sso/setup-links')
      .send({ orgId: tenant.orgId, ...more });
  const open = (token: string, code?: string) => sso.anonymous.post('/sso/setup/visits').send({ token, code });
  const tokenIn = (url: string): string => url.split('#')[1] ?? '';

  async function link(more: object = {}): Promise<Member & { token: string }> {
    const { status, body } = await make(more);
    expect([status, body]).toEqual([201, expect.anything()]);
    return { ...body.data, token: tokenIn(body.data.url) };
  }

  const visitorWith = (visitToken: string) => {
    const call = (method: 'get' | 'post' | 'put', path: string) =>
      sso.anonymous[method](path).set('authorization', `Bearer ${visitToken}`);
    return {
      visitToken,
      view: () => call('get', '/sso/setup'),
      get: (path: string) => call('get', `/sso/setup/${path}`),
      put: (body: object) => call('put', '/sso/setup/provider').send(body),
      post: (path: string, body: object = {}) => call('post', `/sso/setup/${path}`).send(body),
    };
  };

  type Visitor = ReturnType<typeof visitorWith>;

  async function visit(token: string): Promise<Visitor> {
    const { status, body } = await open(token);
    expect([status, body]).toEqual([200, { data: { visitToken: expect.any(String), expiresAt: expect.any(String) } }]);
    return visitorWith(body.data.visitToken as string);
  }

  /** Waits for what the periodic task may be writing at the moment. */
  async function mailsTo(address: string, count: number): Promise<string[]> {
    for (let attempt = 0; attempt < 100; attempt++) {
      await sso.service.service.app.get(DeliverMail).round();
      const mine = sso.identity.mails().filter((mail) => mail.includes(`To: ${address}`));
      if (mine.length >= count) return mine;
      await wait(100);
    }
    throw new Error(`fewer than ${count} mails to ${address} arrived`);
  }

  const oidc = () => ({ type: 'oidc', issuer: idp.issuer, clientId: idp.clientId, clientSecret: idp.clientSecret });
  const providers = () =>
    sso.service.sql(
      'SELECT id, status, default_role_id, auto_provision, created_by FROM sso_providers WHERE org_id = $1',
      [tenant.orgId],
    );
  const codeOf = ({ body }: { body: Member }): string => String(body['code']);
});

const ADMINISTRATOR = '00000000-0000-7000-8000-000000000001';
const TECHNICIAN = '00000000-0000-7000-8000-000000000005';
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies of answers, whose members the tests name
type Member = Record<string, any>;
