import type { Principal } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { newSamlKey, type SamlKey, startSamlIdp } from '@gatehouse/dev-idp';
import { NO_OUTBOX, overlapping, patient } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DeliverMail } from '../src/mail/deliver-mail.ts';
import { ExpiriesService } from '../src/providers/watch/expiries.service.ts';
import { NO_LIMITS, SsoHarness, startScriptedIdp, type Tenant } from './sso.harness.ts';

const TECHNICIAN = '00000000-0000-7000-8000-000000000005';

const [idp, samlIdp, otherIdp] = await Promise.all([startScriptedIdp(), startSamlIdp(), startSamlIdp()]);
const [a, b, c, d] = await Promise.all([newSamlKey(), newSamlKey(), newSamlKey(), newSamlKey()]);
const old = await newSamlKey({ validDays: -1 });
const issuers = [idp.issuer, samlIdp.ssoUrl, otherIdp.ssoUrl];
const sso = await SsoHarness.start(issuers, patient(NO_LIMITS, 'setupVisit=10000/300'));
afterAll(async () => {
  await sso.stop();
  await Promise.all([idp.stop(), samlIdp.stop(), otherIdp.stop()]);
});

describe('a link that renews a provider', () => {
  let tenant: Tenant;
  let author: Principal;
  let authorEmail: string;
  beforeEach(async () => {
    tenant = await sso.tenant();
    authorEmail = `author-${newId()}@msp.example`;
    const made = await sso.user({ email: authorEmail, partnerId: tenant.partnerId, role: ADMINISTRATOR });
    author = { ...tenant.admin, ...made, id: made.userId };
  });
  const make = (body: object, by = author) =>
    sso.service
      .as(by)
      .post('/sso/setup-links')
      .send({ purpose: 'renew', ...body });
  const setStatus = (id: string, status: string) =>
    sso.service.as(tenant.admin).post(`/sso/providers/${id}/status`).send({ status });

  it.each([
    ['without a provider', () => ({}), 400, 'validation_failed'],
    [
      'for a provider of another protocol',
      (id: string) => ({ providerId: id, type: 'saml' }),
      400,
      'validation_failed',
    ],
    ['with a preset', (id: string) => ({ providerId: id, preset: 'okta' }), 400, 'validation_failed'],
    ['that may switch it on', (id: string) => ({ providerId: id, mayActivate: true }), 400, 'validation_failed'],
    ['with a role', (id: string) => ({ providerId: id, defaultRoleId: TECHNICIAN }), 400, 'validation_failed'],
    ['for a provider that does not exist', () => ({ providerId: newId() }), 404, 'sso_provider_not_found'],
  ])('is not made %s (SSO-170)', async (_, body, status, code) => {
    const answer = await make(body(await oidc()));
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it('is of an active provider of the author’s own owner (SSO-170, SETUP-09)', async () => {
    const providerId = await oidc();
    await setStatus(providerId, 'inactive');
    expect(codeOf(await make({ providerId }))).toBe('sso_provider_not_active');
    const foreign = await oidc(await sso.tenant());
    expect(codeOf(await make({ providerId: foreign }))).toBe('sso_provider_not_found');
    const sibling = await oidc(await sso.tenant(tenant.partnerId));
    const answer = await make({ providerId: sibling, orgId: tenant.orgId });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'sso_provider_not_found']);
  });

  it('adds a certificate beside the trusted one, in the author’s authority (SSO-172)', async () => {
    const id = await saml();
    const visitor = await visit(id);
    const { status, body } = await visitor.put({ certificate: pem(b) });
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ purpose: 'renew', type: 'saml', awaitsApproval: false, domains: [] }),
    ]);
    await trusts(id, a, b);
    expect(await shown(id)).toMatchObject({ status: 'active', configVersion: visitor.configVersion });
    const [stored] = await sso.service.sql('SELECT trusted_by FROM sso_providers WHERE id = $1', [id]);
    expect(stored).toEqual({ trusted_by: author.userId });
    const told = (await sso.service.audits('sso.provider.update')).find(({ resource }) => resource?.id === id);
    expect(told).toMatchObject({
      actor: { type: 'setup_link', id: visitor.linkId },
      details: { changedFields: ['certificate'], setupLinkId: visitor.linkId },
    });
    expect((await visitor.put({ certificate: pem(b), type: 'saml' })).status).toBe(200);
    expect(await changes(id)).toEqual([]);
  });

  it('leaves a certificate for which there is no room to an administrator, told once (SSO-172, CERT-07)', async () => {
    const id = await saml();
    const visitor = await visit(id);
    await visitor.put({ certificate: pem(b) });
    for (const key of [c, c, d]) {
      const { status, body } = await visitor.put({ certificate: pem(key) });
      expect([status, body.data.awaitsApproval]).toEqual([200, true]);
    }
    await trusts(id, a, b);
    const [second, first, ...others] = await changes(id);
    expect([second, first, others]).toEqual([
      expect.objectContaining({ status: 'held', reason: 'pasted' }),
      expect.objectContaining({ status: 'superseded', reason: 'pasted' }),
      [],
    ]);
    expect(await mailsTo(authorEmail, 'is awaiting approval')).toHaveLength(1);
    const detected = (await sso.service.audits('sso.provider.metadata_change.detect')).filter(
      ({ resource }) => resource?.id === id,
    );
    expect(detected.map(({ actor }) => actor.type)).toEqual(['setup_link', 'setup_link']);
    const settle = (how: string, change: Member | undefined) =>
      sso.service.as(tenant.admin).post(`/sso/metadata-changes/${change?.['id']}/${how}`).send();
    expect((await settle('apply', second)).status).toBe(200);
    const { certificate, certificates } = await shown(id);
    expect([certificates.length, String(certificate).includes(pem(d).trim().slice(30, 200))]).toEqual([2, true]);
  });

  it('does not add what an administrator has dismissed, nor what has run out (SSO-172, CERT-08)', async () => {
    const id = await saml();
    const visitor = await visit(id);
    await visitor.put({ certificate: pem(b) });
    await visitor.put({ certificate: pem(c) });
    const [held] = await changes(id);
    await sso.service.as(tenant.admin).post(`/sso/metadata-changes/${held?.['id']}/dismiss`).send();
    await sso.service
      .as(tenant.admin)
      .patch(`/sso/providers/${id}`)
      .send({ certificate: pem(a) });
    const { configVersion } = await shown(id);
    expect((await visitor.put({ certificate: pem(c), configVersion })).body.data.awaitsApproval).toBe(true);
    await trusts(id, a);
    const expired = await visitor.put({ certificate: pem(old), configVersion });
    expect([expired.status, codeOf(expired)]).toEqual([400, 'saml_configuration_invalid']);
    const unreadable = await visitor.put({ certificate: 'no certificate', configVersion });
    expect([unreadable.status, codeOf(unreadable)]).toEqual([400, 'saml_configuration_invalid']);
  });

  it('takes the address of metadata, and nothing at all when a part of it is refused', async () => {
    const id = await saml();
    const visitor = await visit(id);
    const half = await visitor.put({ metadataUrl: `${samlIdp.ssoUrl}/nothing`, certificate: pem(b) });
    expect([half.status, codeOf(half)]).toEqual([400, expect.stringMatching(/^saml_metadata_/)]);
    const weak = await visitor.put({ metadataUrl: samlIdp.entityId, certificate: pem(old) });
    expect([weak.status, codeOf(weak)]).toEqual([400, 'saml_configuration_invalid']);
    expect(await shown(id)).toMatchObject({ metadataUrl: null });
    await trusts(id, a);
    expect((await visitor.put({ metadataUrl: samlIdp.entityId, certificate: pem(b) })).status).toBe(200);
    expect(await shown(id)).toMatchObject({ metadataUrl: samlIdp.entityId, configVersion: visitor.configVersion });
    await trusts(id, a, b);
  });

  it('that sets a provider up takes all of it from other metadata once their address is corrected (SSO-165)', async () => {
    const { url } = (await make({ purpose: 'configure', orgId: tenant.orgId, type: 'saml' })).body.data as Member;
    const { put } = await opened(String(url));
    const described = ({ entityId, ssoUrl, metadataUrl, certificates }: typeof samlIdp) => ({
      entityId,
      ssoUrl,
      metadataUrl,
      certificates: certificates.map((one) => expect.objectContaining({ sha256: sha256Of(one) })),
    });
    const steps = [{}, { configVersion: 1 }, { configVersion: 2 }].map((version, at) => ({
      version,
      of: at === 0 ? otherIdp : samlIdp,
    }));
    for (const { version, of } of steps) {
      const { body } = await put({ type: 'saml', metadataUrl: of.metadataUrl, ...version });
      expect(body.data?.provider ?? body).toMatchObject(described(of));
    }
  });

  it('changes nothing but what may be renewed, by the protocol of the provider (SSO-171, SETUP-10)', async () => {
    const ids = { oidc: await oidc(), saml: await saml() };
    const closed = {
      ...{
        enforceSSO: false,
        defaultRoleId: TECHNICIAN,
        status: 'inactive',
        trustsIdpMfa: true,
        allowedDomains: 'x.test',
      },
      ...{
        metadataPolicy: 'hold',
        withProvisioning: true,
        purpose: 'configure',
        tokenUrl: idp.issuer,
        autoProvision: true,
      },
      ...{ name: 'Mine', preset: null, scopes: 'openid', issuer: idp.issuer, clientId: 'x', nameIdFormat: 'x' },
      ...{ entityId: 'x', ssoUrl: samlIdp.ssoUrl, attributeMapping: { email: 'email', name: 'name' } },
    };
    const closedOf = {
      oidc: { ...closed, certificate: pem(b), metadataUrl: samlIdp.entityId },
      saml: { ...closed, clientSecret: 'x', clientSecretExpiresAt: null, certificate: '', metadataUrl: null },
    };
    for (const type of ['oidc', 'saml'] as const) {
      const [before, visitor] = [await shown(ids[type]), await visit(ids[type])];
      const renewal = type === 'oidc' ? { clientSecret: 'next' } : { certificate: pem(b) };
      for (const [name, value] of Object.entries(closedOf[type])) {
        const answer = await visitor.put({ ...renewal, [name]: value });
        expect([type, name, answer.status, answer.body.issues]).toEqual([
          type,
          name,
          400,
          [expect.objectContaining({ path: name })],
        ]);
      }
      expect((await visitor.put({ ...renewal, type: type === 'oidc' ? 'saml' : 'oidc' })).body.issues[0].path).toBe(
        'type',
      );
      expect(codeOf(await visitor.put({}))).toBe('no_updates_provided');
      expect(await shown(ids[type])).toEqual(before);
      for (const path of ['domains', `domains/${newId()}/verify`])
        expect(codeOf(await visitor.post(path, path === 'domains' ? { domain: 'mine.example' } : {}))).toBe(
          'permission_denied',
        );
    }
  });

  it('renews a client secret with its expiry, once for each version that was read (SETUP-11)', async () => {
    const id = await oidc();
    const [first, second] = [await visit(id), await visit(id)];
    const clientSecretExpiresAt = new Date(Date.now() + 90 * 86_400_000).toISOString();
    expect((await first.put({ clientSecret: 'x', configVersion: undefined })).body.issues[0].path).toBe(
      'configVersion',
    );
    const answers = await Promise.all(
      [first, second].map((visitor) => visitor.put({ clientSecret: 'next', clientSecretExpiresAt })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(codeOf(answers.find(({ status }) => status === 409) ?? { body: {} })).toBe('conflict');
    const configVersion = first.configVersion + 1;
    expect(await shown(id)).toMatchObject({ clientSecretExpiresAt, configVersion, status: 'active' });
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('next');
    const cleared = { clientSecretExpiresAt: null, configVersion };
    expect((await second.put(cleared)).status).toBe(200);
    const later = await first.put({ ...cleared, clientSecretExpiresAt });
    expect([later.status, codeOf(later)]).toEqual([409, 'conflict']);
    expect(await shown(id)).toMatchObject({ ...cleared, hasClientSecret: true, configVersion: configVersion + 1 });
  });

  it.each(['secret', 'certificate'])('that is revoked meanwhile renews no %s (SSO-162)', async (what) => {
    const id = await (what === 'secret' ? oidc() : saml());
    const { linkId, put, configVersion } = await visit(id);
    const revoke = () => sso.service.as(author).delete(`/sso/setup-links/${linkId}`);
    const renew = () => put(what === 'secret' ? { clientSecret: 'next' } : { certificate: pem(b) });
    const [revoked, late] = await overlapping(sso.service, NO_OUTBOX, revoke, renew);
    expect([revoked?.status, late?.status, late?.body.code]).toEqual([200, 401, 'setup_link_invalid']);
    expect(await shown(id)).toMatchObject({ configVersion });
  });

  it('adds one certificate and holds the other when two visitors paste at once (SETUP-11)', async () => {
    const id = await saml();
    const [first, second] = [await visit(id), await visit(id)];
    const answers = await Promise.all([first.put({ certificate: pem(b) }), second.put({ certificate: pem(c) })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await shown(id))['certificates']).toHaveLength(2);
    expect(await changes(id)).toEqual([expect.objectContaining({ status: 'held', reason: 'pasted' })]);
  });

  it('does nothing for a provider that was switched off in the meantime (SETUP-12)', async () => {
    const id = await oidc();
    const visitor = await visit(id);
    await setStatus(id, 'inactive');
    for (const answer of [
      await visitor.put({ clientSecret: 'next', configVersion: (await shown(id))['configVersion'] }),
      await visitor.post('test-sign-ins'),
    ])
      expect([answer.status, codeOf(answer)]).toEqual([409, 'sso_provider_not_active']);
    await sso.service.sql('UPDATE sso_providers SET tested_version = config_version WHERE id = $1', [id]);
    expect(codeOf(await visitor.post('complete'))).toBe('sso_provider_not_active');
    expect((await visitor.view())['provider']).toMatchObject({ status: 'inactive' });
  });

  /** Leaves the author a role that may write organisations, and grant nothing else. */
  async function demote(): Promise<void> {
    const [role] = await sso.service.sql<{ id: string }>(
      `INSERT INTO roles (id, partner_id, name, axis, permissions) VALUES ($1, $2, 'Sign-on', 'partner', $3) RETURNING id`,
      [newId(), tenant.partnerId, ['organizations:write', 'organizations:read']],
    );
    await sso.service.sql('UPDATE memberships SET role_id = $2 WHERE id = $1', [author.membershipId, role?.id]);
  }

  it('gives its visitor the author’s rights at that moment, not of the day it was made (SSO-173)', async () => {
    const [id, other] = [await saml(), await oidc()];
    const [visitor, secret] = [await visit(id), await visit(other)];
    await demote();
    const refused = await visitor.put({ certificate: pem(b) });
    expect([refused.status, codeOf(refused), refused.body.missing]).toEqual([
      403,
      'role_not_grantable',
      expect.any(Array),
    ]);
    await trusts(id, a);
    expect((await secret.put({ clientSecret: 'next' })).status).toBe(200);
    await sso.service.sql('DELETE FROM memberships WHERE id = $1', [author.membershipId]);
    const closed = await secret.put({ clientSecret: 'again', configVersion: secret.configVersion + 1 });
    expect([closed.status, codeOf(closed)]).toEqual([401, 'setup_link_invalid']);
  });

  /** Tells of the secret's end. @returns the mail to `address` */
  async function alertTo(address: string, id: string, count = 1): Promise<string> {
    const end = new Date(Date.now() + (6 - count / 100) * 86_400_000);
    await sso.service.sql('UPDATE sso_providers SET client_secret_expires_at = $2 WHERE id = $1', [id, end]);
    await sso.service.service.app.get(ExpiriesService, { strict: false }).noticeAt(null);
    return (await mailsTo(address, 'client secret of Test IdP', count)).at(-1) ?? '';
  }

  it('comes with an alert, in the mail of the administrator who last configured the provider alone (SSO-175)', async () => {
    const other = `other-${newId()}@msp.example`;
    await sso.user({ email: other, partnerId: tenant.partnerId, role: ADMINISTRATOR });
    const id = await oidc({ ...tenant, admin: author });
    const settings = sso.service.as(author).put(`/sso/settings?orgId=${tenant.orgId}`);
    expect((await settings.send({ renewLinkInAlerts: true })).status).toBe(200);
    const link = /\/sso-setup#([\w-]{43})/;
    const [, token] = link.exec(await alertTo(authorEmail, id)) ?? [];
    const [elsewhere = ''] = await mailsTo(other, 'client secret of Test IdP');
    expect([link.test(elsewhere), elsewhere.includes(`/sign-on/${id}`)]).toEqual([false, true]);
    const [made] = (await sso.service.as(author).get(`/sso/setup-links?orgId=${tenant.orgId}`)).body.data;
    expect(made).toMatchObject({ purpose: 'renew', providerId: id, createdBy: author.userId, status: 'open' });
    const told = (await sso.service.audits('sso.setup_link.create')).find(({ resource }) => resource?.id === made.id);
    expect(told).toMatchObject({ actor: { type: 'system' }, details: { cause: 'expiry_alert' } });
    const { visitToken } = (await sso.anonymous.post('/sso/setup/visits').send({ token })).body.data;
    const { configVersion } = await shown(id);
    const renewed = await sso.anonymous
      .put('/sso/setup/provider')
      .set('authorization', `Bearer ${visitToken}`)
      .send({ clientSecret: 'next', configVersion });
    expect(renewed.status).toBe(200);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['while the setting is off', () => sso.service.sql('DELETE FROM sso_settings WHERE org_id = $1', [tenant.orgId])],
    ['once that administrator may not configure it any more', demote],
    [
      'while five links are open',
      async (id) => {
        for (let count = 0; count < 5; count++) expect((await make({ providerId: id })).status).toBe(201);
      },
    ],
    ['while the provider is only tested', (id) => setStatus(id, 'testing')],
  ])('does not come with an alert %s (SSO-175)', async (_, change) => {
    const id = await oidc({ ...tenant, admin: author });
    await sso.service.as(author).put(`/sso/settings?orgId=${tenant.orgId}`).send({ renewLinkInAlerts: true });
    await change(id);
    const mail = await alertTo(authorEmail, id);
    expect([mail.includes('sso-setup'), mail.includes(`/sign-on/${id}`)]).toEqual([false, true]);
  });

  it('is finished after a sign-in with the renewed secret, and its author hears of it (SSO-174)', async () => {
    const id = await oidc();
    await sso.service.sql('UPDATE sso_providers SET tested_version = config_version WHERE id = $1', [id]);
    const visitor = await visit(id);
    expect((await visitor.view())['missing']).toEqual([]);
    await visitor.put({ clientSecret: idp.clientSecret });
    const early = await visitor.post('complete');
    expect([early.status, early.body.code, early.body.missing]).toEqual([409, 'setup_incomplete', ['tested']]);
    expect(codeOf(await visitor.post('complete', { activate: true }))).toBe('permission_denied');
    idp.identity = { sub: newId(), email: `ada@${newId()}.example`, email_verified: true, name: 'Ada' };
    const begun = await visitor.post('test-sign-ins');
    const cookie = String([begun.headers['set-cookie']].flat()[0]).split(';')[0] ?? '';
    await sso.callback(await sso.wayBack({ url: begun.body.data.url, cookie, setCookie: '' }), cookie);
    const done = await visitor.post('complete');
    expect([done.status, done.body.data.steps]).toEqual([200, expect.objectContaining({ completed: true })]);
    expect(await shown(id)).toMatchObject({ status: 'active' });
    expect((await visitor.post('complete')).status).toBe(401);
    expect(await mailsTo(authorEmail, 'Single sign-on is renewed')).toHaveLength(1);
  });

  const sha256Of = (certificate: string): string =>
    new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
  const pem = (key: SamlKey | undefined): string => key?.certificatePem ?? '';

  const codeOf = ({ body }: { body: Member }): string => String(body['code']);
  const oidc = (of = tenant, more: object = {}) => sso.provider(of, idp, more);
  const saml = async (): Promise<string> => {
    const { entityId, ssoUrl } = samlIdp;
    const settings = { type: 'saml', entityId, ssoUrl, certificate: pem(a), defaultRoleId: TECHNICIAN };
    const { data } = (
      await sso.service
        .as(tenant.admin)
        .post('/sso/providers')
        .send({ orgId: tenant.orgId, name: 'SAML IdP', ...settings })
    ).body;
    await setStatus(data.id, 'active');
    return data.id as string;
  };
  const shown = async (id: string): Promise<Member> =>
    (await sso.service.as(tenant.admin).get(`/sso/providers/${id}`)).body.data;
  const changes = async (id: string): Promise<Member[]> =>
    (await sso.service.as(tenant.admin).get(`/sso/providers/${id}/metadata-changes`)).body.data;
  const trusts = async (id: string, ...keys: (SamlKey | undefined)[]): Promise<void> => {
    const { certificate } = await shown(id);
    const inOne = String(certificate).replaceAll(/\s/g, '');
    expect(keys.map((key) => inOne.includes(pem(key).replaceAll(/\s/g, '')))).toEqual(keys.map(() => true));
    expect(String(certificate).match(/BEGIN/g)).toHaveLength(keys.length);
  };

  /** A visitor of a new link that renews the provider. */
  async function visit(providerId: string, by = author) {
    const made = await make({ providerId }, by);
    expect([made.status, made.body.data]).toEqual([201, expect.objectContaining({ purpose: 'renew', providerId })]);
    const { call } = await opened(String(made.body.data.url));
    const { configVersion } = (await call('get')).body.data.provider as { configVersion: number };
    return {
      configVersion,
      linkId: String(made.body.data.id),
      view: async () => (await call('get')).body.data as Member,
      put: (body: object) => call('put', '/provider').send({ configVersion, ...body }),
      post: (path: string, body: object = {}) => call('post', `/${path}`).send(body),
    };
  }

  async function opened(url: string) {
    const token = url.split('#')[1];
    const { visitToken } = (await sso.anonymous.post('/sso/setup/visits').send({ token })).body.data;
    const call = (method: 'get' | 'post' | 'put', path = '') =>
      sso.anonymous[method](`/sso/setup${path}`).set('authorization', `Bearer ${visitToken}`);
    return { call, put: (body: object) => call('put', '/provider').send(body) };
  }

  /** Waits for what the periodic task may be writing at the moment. */
  async function mailsTo(address: string, text: string, count = 1): Promise<string[]> {
    for (let attempt = 0; attempt < 100; attempt++) {
      await sso.service.service.app.get(DeliverMail, { strict: false }).round();
      const unfolded = sso.identity.mails().map((mail) => mail.replaceAll('\r\n ', ' '));
      const found = unfolded.filter((mail) => mail.includes(`To: ${address}`) && mail.includes(text));
      if (found.length >= count) return found;
      await wait(100);
    }
    throw new Error(`fewer than ${count} mails to ${address} have "${text}"`);
  }
});

const ADMINISTRATOR = '00000000-0000-7000-8000-000000000001';
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- bodies of answers, whose members the tests name
type Member = Record<string, any>;
