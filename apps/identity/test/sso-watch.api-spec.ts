import { asService } from '@gatehouse/contracts-core';
import { SsoMetadataChanged } from '@gatehouse/contracts-identity';
import { newSamlKey, type SamlKey, samlSignInAs } from '@gatehouse/dev-idp';
import { anOrgAdmin, aPartnerAdmin } from '@gatehouse/testing';
import { newId } from '@gatehouse/crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignedXml } from 'xml-crypto';
import { DeliverMail } from '../src/mail/deliver-mail.ts';
import { MetadataChangesRepository } from '../src/providers/watch/metadata-changes.repository.ts';
import { MetadataChangesService } from '../src/providers/watch/metadata-changes.service.ts';
import { MetadataWatch } from '../src/providers/watch/metadata-watch.ts';
import { EMAIL, SamlHarness } from './saml.harness.ts';
import { errorIn, landing, type Tenant, type Trip } from './sso.harness.ts';

/** A web server that publishes whatever a test wants. */
class Publisher {
  readonly server: Server = createServer((_, response) => this.answer(response));
  answer: (response: ServerResponse) => void = (response) => void response.writeHead(404).end();

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  publish(xml: string): void {
    this.answer = (response) => void response.writeHead(200).end(xml);
  }
  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
let tenant: Tenant;
const key = (one: SamlKey | undefined): SamlKey => one as SamlKey;

const [own, foreign] = await Promise.all([new Publisher().start(), new Publisher().start()]);
const saml = await SamlHarness.start([own.url, foreign.url]);
const [a, b, c] = await Promise.all([newSamlKey(), newSamlKey(), newSamlKey({ kind: 'P-384' })]);
afterAll(async () => {
  await saml.stop();
  await Promise.all([own.stop(), foreign.stop()]);
});
beforeEach(async () => {
  tenant = await saml.sso.tenant();
});

describe('metadata of a SAML provider', () => {
  it('are read when their address is saved, and fill what the provider lacks (SSO-120)', async () => {
    own.publish(metadata([key(a)]));
    const body = { orgId: tenant.orgId, name: 'x', type: 'saml', metadataUrl: `${own.url}/metadata` };
    const { data } = (await admin().post('/sso/providers').send(body)).body;
    expect(data).toMatchObject({
      metadataUrl: `${own.url}/metadata`,
      metadataPolicy: 'auto_certificates',
      metadataCheckedAt: expect.any(String),
      metadataError: null,
      pendingChangeId: null,
      entityId: `${own.url}/idp`,
      ssoUrl: `${own.url}/sso`,
      certificates: [{ sha256: shaOf(key(a)), notBefore: expect.any(String) }],
    });
    for (const [ssoUrl, fault] of [
      ['javascript:alert(1)', 'must be an https address'],
      ['http://idp.example/', 'must be an https address'],
      ['https://idp.example:25', 'must be at port 80'],
    ]) {
      own.publish(metadata([key(a)], { ssoUrl }));
      const refused = [await admin().post('/sso/providers').send(body), await read({ url: body.metadataUrl })];
      const expected = { code: 'saml_metadata_invalid', detail: expect.stringContaining(`its Location ${fault}`) };
      expect(refused.map((answer) => answer.body)).toMatchObject([expected, expected]);
    }
    own.publish('nonsense');
    const patch = (changes: object) => admin().patch(`/sso/providers/${data.id}`).send(changes);
    expect((await patch({ metadataUrl: `${own.url}/other` })).body.code).toBe('saml_metadata_invalid');
    own.answer = (response) => void response.writeHead(500).end();
    expect((await patch({ metadataUrl: `${own.url}/other` })).body.code).toBe('saml_metadata_unreachable');
    expect((await shown(data.id)).metadataUrl).toBe(`${own.url}/metadata`);
    expect((await patch({ metadataPolicy: 'trust_all' })).body.code).toBe('validation_failed');
    expect((await patch({ metadataUrl: null })).body.data).toMatchObject({
      metadataUrl: null,
      metadataCheckedAt: null,
    });
    const { issues } = (
      await admin()
        .post('/sso/providers')
        .send({ ...body, type: 'oidc' })
    ).body;
    expect(issues).toMatchObject([{ path: 'metadataUrl' }]);
  });

  it('change trust, so that their address and policy need the permissions of those who could be signed in', async () => {
    const id = await provider([key(a)]);
    const weaker = saml.sso.orgAdmin(tenant, { permissions: ['organizations:read', 'organizations:write'] });
    own.answer = (response) => void response.writeHead(404).end();
    for (const body of [{ metadataPolicy: 'hold' }, { metadataUrl: `${own.url}/other` }])
      expect((await saml.sso.service.as(weaker).patch(`/sso/providers/${id}`).send(body)).body.code).toBe(
        'role_not_grantable',
      );
  });

  it('with an announced next certificate add it, and keep the generation (SSO-123, SSO-127)', async () => {
    const id = await provider([key(a)]);
    const before = await shown(id);
    own.publish(metadata([key(a), key(b)]));
    expect(await refresh(id)).toMatchObject({
      data: {
        changed: true,
        change: {
          providerId: id,
          status: 'applied_automatically',
          reason: 'certificate_added',
          settledBy: null,
          fields: [{ field: 'certificates', before: [{ sha256: shaOf(key(a)) }], after: [{}, {}] }],
        },
      },
    });
    expect(await trusted(id)).toEqual(shas(a, b));
    expect(await shown(id)).toMatchObject({
      configVersion: before.configVersion,
      metadataCheckedAt: expect.any(String),
      pendingChangeId: null,
    });
    expect(await refresh(id)).toEqual({ data: { changed: false, change: null } });
    const [told] = (await saml.sso.service.emitted(SsoMetadataChanged)).filter(({ aggregateId }) => aggregateId === id);
    expect(told?.data).toMatchObject({
      orgId: tenant.orgId,
      status: 'applied_automatically',
      fields: ['certificates'],
    });
    expect((await mails()).some((mail) => mail.includes('certificates of SAML IdP have changed'))).toBe(true);
  });

  it('drop a certificate only once the other has verified a sign-in, and start a new generation (SSO-124)', async () => {
    const id = await provider([key(a), key(b)]);
    own.publish(metadata([key(b)]));
    expect((await refresh(id)).data.change).toMatchObject({ status: 'held', reason: 'not_verified' });
    await proven(id, b);
    const before = await shown(id);
    expect((await refresh(id)).data.change).toMatchObject({ status: 'applied_automatically' });
    expect(await trusted(id)).toEqual(shas(b));
    const after = await shown(id);
    expect(after).toMatchObject({ configVersion: before.configVersion + 1, pendingChangeId: null });
    expect(
      await saml.sso.service.sql('SELECT FROM sso_providers WHERE id = $1 AND tested_version = config_version', [id]),
    ).toHaveLength(1);
    expect((await changes(id)).map(({ status }: { status: string }) => status)).toEqual([
      'applied_automatically',
      'superseded',
    ]);
  });

  it.each<[string, string, () => void, object]>([
    ['only a new certificate (CERT-01)', 'no_trusted_certificate', () => own.publish(metadata([key(b)])), {}],
    [
      'another sign-in address (CERT-03)',
      'sso_url_changed',
      () => own.publish(metadata([key(a)], { ssoUrl: 'https://evil.example/sso' })),
      {},
    ],
    ['another entity id', 'entity_id_changed', () => own.publish(metadata([key(a)], { entityId: 'urn:other' })), {}],
    ['three certificates', 'no_room', () => own.publish(metadata([key(a), key(b), key(c)])), {}],
    [
      'a next certificate, under a policy of approval',
      'policy_hold',
      () => own.publish(metadata([key(a), key(b)])),
      { metadataPolicy: 'hold' },
    ],
  ])('with %s are held, and administrators are told once (SSO-125)', async (_, reason, publish, more) => {
    const id = await provider([key(a)], more);
    publish();
    const { change } = (await refresh(id)).data;
    expect(change).toMatchObject({ status: 'held', reason, settledAt: null });
    expect(await trusted(id)).toEqual(shas(a));
    expect((await shown(id)).pendingChangeId).toBe(change.id);
    const sent = (await mails()).length;
    expect((await refresh(id)).data.change.id).toBe(change.id);
    expect((await mails()).length).toBe(sent);
    expect((await settle(change.id, 'dismiss')).body.data.status).toBe('dismissed');
    expect((await settle(change.id, 'apply')).body.code).toBe('metadata_change_settled');
    expect(await trusted(id)).toEqual(shas(a));
    // Of three certificates the third is then the next one.
    if (reason !== 'no_room') expect(await refresh(id)).toEqual({ data: { changed: false, change: null } });
  });

  it('on a host that is not the provider’s are held (CERT-02)', async () => {
    foreign.publish(metadata([key(a)]));
    const id = await provider([key(a)], { metadataUrl: `${foreign.url}/metadata` });
    foreign.publish(metadata([key(a), key(b)]));
    expect((await refresh(id)).data.change).toMatchObject({ status: 'held', reason: 'other_host' });
    expect(await trusted(id)).toEqual(shas(a));
  });

  it('that added a certificate which an administrator dismisses never add it again (SSO-126)', async () => {
    const id = await provider([key(a)]);
    own.publish(metadata([key(a), key(b)]));
    const { change } = (await refresh(id)).data;
    expect((await settle(change.id, 'dismiss')).body.data).toMatchObject({
      status: 'dismissed',
      settledBy: tenant.admin.userId,
    });
    expect(await trusted(id)).toEqual(shas(a));
    expect(await refresh(id)).toEqual({ data: { changed: false, change: null } });
    expect((await settle(change.id, 'dismiss')).body.code).toBe('metadata_change_settled');
  });

  it('that await approval are applied by an administrator, untested under a certificate that proved nothing', async () => {
    const id = await provider([key(a)]);
    await proven(id, a);
    own.publish(metadata([key(b)]));
    const { change } = (await refresh(id)).data;
    const before = await shown(id);
    expect((await settle(change.id, 'apply')).body.data).toMatchObject({
      status: 'applied',
      settledBy: tenant.admin.userId,
    });
    expect(await trusted(id)).toEqual(shas(b));
    expect(await shown(id)).toMatchObject({ configVersion: before.configVersion + 1, pendingChangeId: null });
    expect(
      await saml.sso.service.sql('SELECT FROM sso_providers WHERE id = $1 AND tested_version = config_version', [id]),
    ).toEqual([]);
    const audits = (await saml.sso.service.audits())
      .filter(({ resource }) => resource.id === id)
      .map(({ action }) => action);
    expect(audits.slice(-3)).toEqual([
      'sso.provider.metadata_change.detect',
      'sso.provider.update',
      'sso.provider.metadata_change.apply',
    ]);
  });

  it('that only add a certificate keep the generation once an administrator applies them (SSO-127)', async () => {
    const id = await provider([key(a)], { metadataPolicy: 'hold' });
    const { configVersion } = await shown(id);
    own.publish(metadata([key(a), key(b)]));
    expect((await settle((await refresh(id)).data.change.id, 'apply')).status).toBe(200);
    expect(await trusted(id)).toEqual(shas(a, b));
    expect(await shown(id)).toMatchObject({ configVersion, pendingChangeId: null });
  });

  it('are settled by administrators of the tenant alone, with the permissions of a change of trust (CERT-05)', async () => {
    const id = await provider([key(a)]);
    own.publish(metadata([key(b)]));
    const { change } = (await refresh(id)).data;
    const stranger = await saml.sso.tenant();
    const weaker = saml.sso.orgAdmin(tenant, { permissions: ['organizations:read', 'organizations:write'] });
    const reader = anOrgAdmin(tenant.partnerId, tenant.orgId, { permissions: ['organizations:read'] });
    const without = aPartnerAdmin(tenant.partnerId, { mfa: false });
    for (const how of ['apply', 'dismiss'] as const) {
      expect((await settle(change.id, how, stranger.admin)).body.code).toBe('metadata_change_not_found');
      expect((await settle(newId(), how)).body.code).toBe('metadata_change_not_found');
      expect((await settle(change.id, how, reader)).body.code).toBe('permission_denied');
      expect((await settle(change.id, how, without)).body.code).toBe('mfa_required');
    }
    expect((await settle(change.id, 'apply', weaker)).body).toMatchObject({
      code: 'role_not_grantable',
      missing: expect.any(Array),
    });
    const elsewhere = saml.sso.service.as(stranger.admin);
    expect((await elsewhere.get(`/sso/providers/${id}/metadata-changes`)).body.code).toBe('sso_provider_not_found');
    expect((await elsewhere.post(`/sso/providers/${id}/metadata/refresh`).send()).body.code).toBe(
      'sso_provider_not_found',
    );
    expect((await changes(id))[0]).toMatchObject({ id: change.id, status: 'held' });
  });

  it('that dropped a certificate bring it back only for who may change trust (SSO-131, ATK-229)', async () => {
    const id = await provider([key(a), key(b)]);
    await proven(id, b);
    own.publish(metadata([key(b)]));
    const { change } = (await refresh(id)).data;
    expect([change.status, await trusted(id)]).toEqual(['applied_automatically', shas(b)]);
    const weaker = saml.sso.orgAdmin(tenant, { permissions: ['organizations:read', 'organizations:write'] });
    expect((await settle(change.id, 'dismiss', weaker)).body.code).toBe('role_not_grantable');
    expect([(await changes(id))[0].status, await trusted(id)]).toEqual(['applied_automatically', shas(b)]);
    expect((await settle(change.id, 'dismiss')).body.data.status).toBe('dismissed');
    expect(await trusted(id)).toEqual(shas(a, b));
  });

  it('that added a certificate bring back none that a person has replaced since (SSO-126)', async () => {
    const id = await provider([key(a)]);
    own.publish(metadata([key(a), key(b)]));
    const { change } = (await refresh(id)).data;
    await admin()
      .patch(`/sso/providers/${id}`)
      .send({ certificate: key(c).certificatePem });
    expect((await settle(change.id, 'dismiss')).body.data.status).toBe('dismissed');
    expect(await trusted(id)).toEqual(shas(c));
  });

  it('that a person makes superfluous by a change of their own are superseded', async () => {
    const id = await provider([key(a)]);
    own.publish(metadata([key(b)]));
    await refresh(id);
    const certificate = key(b).certificatePem;
    expect((await admin().patch(`/sso/providers/${id}`).send({ certificate })).body.data.pendingChangeId).toBeNull();
    expect((await changes(id))[0].status).toBe('superseded');
    expect(await refresh(id)).toEqual({ data: { changed: false, change: null } });
  });

  const redirect = (response: ServerResponse) => void response.writeHead(302, { location: '/x' }).end();
  it.each<[string, () => unknown, string?]>([
    ['are too large (CERT-04)', () => own.publish('x'.repeat(600_000)), 'saml_metadata_unreachable'],
    ['redirect (CERT-04)', () => (own.answer = redirect), 'saml_metadata_unreachable'],
    ['are none', () => own.publish('<a/>')],
    ['have a document type', () => own.publish(`<!DOCTYPE x>${metadata([key(a)])}`)],
    ['are out of date', () => own.publish(metadata([key(a)], { more: ' validUntil="2020-01-01T00:00:00Z"' }))],
    ['are signed by nobody who is known', () => own.publish(signed(metadata([key(a), key(b)]), saml.key))],
    [
      'were changed after they were signed',
      () => own.publish(signed(metadata([key(a)]), key(a)).replace('/sso"', '/evil"')),
    ],
    ['name a script as sign-in address', () => own.publish(metadata([key(a)], { ssoUrl: 'javascript:alert(1)' }))],
  ])(
    'that %s are an error, and never a change (SSO-121, SSO-133)',
    async (_, publish, code = 'saml_metadata_invalid') => {
      const id = await provider([key(a)]);
      publish();
      expect((await refresh(id)).code).toBe(code);
      expect(await shown(id)).toMatchObject({
        metadataError: expect.any(String),
        metadataCheckedAt: expect.any(String),
        pendingChangeId: null,
      });
      expect(await changes(id)).toEqual([]);
      own.publish(signed(metadata([key(a), key(b)]), key(a)));
      expect((await refresh(id)).data.change.status).toBe('applied_automatically');
      expect((await shown(id)).metadataError).toBeNull();
    },
  );

  it('are read anew for a new Idempotency-Key alone (SSO-193)', async () => {
    const id = await provider([key(a)]);
    own.publish(metadata([key(a), key(b)]));
    const asked = (name: string) =>
      admin().post(`/sso/providers/${id}/metadata/refresh`).set('idempotency-key', `${name}-${id}`);
    const first = await asked('first');
    expect(first.body.data.change.status).toBe('applied_automatically');
    expect((await asked('first')).body).toEqual(first.body);
    expect((await asked('second')).body.data).toEqual({ changed: false, change: null });
  });

  it('with more than 20 certificates are refused, also if one is named so often (SSO-192)', async () => {
    const many = await Promise.all(Array.from({ length: 21 }, () => newSamlKey({ kind: 'P-256' })));
    expect((await read({ xml: metadata(many) })).body.code).toBe('saml_metadata_invalid');
    expect((await read({ xml: metadata(many.slice(1)) })).body.data.certificates).toHaveLength(20);
    const often = (times: number) => ({ xml: metadata(Array.from({ length: times }, () => key(a))) });
    expect((await read(often(21))).body.code).toBe('saml_metadata_invalid');
    expect((await read(often(20))).body.data.certificates).toHaveLength(1);
  });

  it('are read regularly, and administrators hear of it when that fails for three days (SSO-133)', async () => {
    const watch = saml.sso.service.service.app.get(MetadataWatch, { strict: false });
    await saml.sso.service.sql('UPDATE sso_providers SET metadata_url = NULL');
    const id = await provider([key(a)]);
    own.publish(metadata([key(a), key(b)]));
    await watch.check();
    expect(await trusted(id)).toEqual(shas(a, b));
    own.publish(metadata([key(a)]));
    await watch.check();
    expect(await trusted(id)).toEqual(shas(a, b));
    own.answer = (response) => void response.writeHead(500).end();
    const due = (failing: string) =>
      saml.sso.service.sql(
        `UPDATE sso_providers SET metadata_due_at = NULL, metadata_failed_since = now() - $2::interval WHERE id = $1`,
        [id, failing],
      );
    const told = async () =>
      (await mails()).filter((mail) => mail.includes('metadata of SAML IdP cannot be read')).length;
    await due('2 days');
    await watch.check();
    expect(await told()).toBe(0);
    await due('4 days');
    await watch.check();
    await saml.sso.service.sql('UPDATE sso_providers SET metadata_due_at = NULL WHERE id = $1', [id]);
    await watch.check();
    expect(await told()).toBe(1);
    expect(await saml.sso.service.metrics()).toMatch(
      /gatehouse_saml_metadata_failures_total\{[^}]*saml_metadata_unreachable[^}]*\} [1-9]/,
    );
  });
});

describe('a certificate that is exchanged at the provider', () => {
  beforeEach(async () => {
    await saml.sso.service.sql(`DELETE FROM users WHERE email LIKE '%@acme.example'`);
  });

  it('with overlap refuses no sign-in and needs no person (SSO-134)', async () => {
    tenant = await saml.tenant();
    const id = await saml.provider(tenant, { metadataUrl: saml.idp.metadataUrl });
    expect(await signIn()).toEqual(IN);
    await saml.idp.prepareRollover();
    expect((await refresh(id)).data.change.reason).toBe('certificate_added');
    expect(await signIn()).toEqual(IN);
    const underWay = await saml.begin(tenant);
    saml.idp.completeRollover();
    expect(await finish(underWay)).toEqual(IN);
    const duringTheDrop = await saml.begin(tenant);
    expect((await refresh(id)).data.change.reason).toBe('certificate_withdrawn');
    expect(await finish(duringTheDrop)).toEqual(IN);
    expect(await signIn()).toEqual(IN);
    expect((await shown(id)).certificates).toHaveLength(1);
  });

  it('without overlap waits for approval, and signs people in right after it (SSO-134)', async () => {
    tenant = await saml.tenant();
    const id = await saml.provider(tenant, { metadataUrl: saml.idp.metadataUrl });
    expect(await signIn()).toEqual(IN);
    await saml.idp.prepareRollover();
    saml.idp.completeRollover();
    expect(await signIn()).toBe('sso_error');
    const { change } = (await refresh(id)).data;
    expect(change).toMatchObject({ status: 'held', reason: 'no_trusted_certificate' });
    const approval = (mail: string) => mail.includes('A metadata change of SAML IdP is awaiting approval');
    expect((await mails()).some(approval)).toBe(true);
    expect((await settle(change.id, 'apply')).status).toBe(200);
    expect(await signIn()).toEqual(IN);
  });

  it('and pasted is added beside a valid one, or waits as a change (SSO-128)', async () => {
    const id = await provider([key(a)]);
    const service = saml.sso.service.service.app.get(MetadataChangesService, { strict: false });
    const repository = saml.sso.service.service.app.get(MetadataChangesRepository, { strict: false });
    const { work } = saml.sso.service.service.platform.store ?? {};
    const paste = (one: SamlKey | undefined) =>
      work?.run(asService('identity'), async (tx) => {
        const locked = await repository.lock(tx, id);
        return locked && service.paste(tx, locked.provider, key(one).certificatePem);
      });
    expect(await paste(b)).toBeNull();
    expect(await trusted(id)).toEqual(shas(a, b));
    expect(await paste(b)).toBeNull();
    expect(await paste(c)).toMatchObject({ status: 'held', reason: 'pasted' });
    own.publish(metadata([key(a), key(b)]));
    expect((await refresh(id)).data.change).toBeNull();
    const { pendingChangeId } = await shown(id);
    expect((await settle(pendingChangeId, 'apply')).body.data.status).toBe('applied');
    expect(await trusted(id)).toHaveLength(2);
    expect(await trusted(id)).toContain(shaOf(key(c)));
  });

  const finish = async (trip: Trip) => {
    const { form } = await samlSignInAs(EMAIL, trip.url);
    const received = await saml.post(Object.fromEntries(form));
    return received.headers['location']?.includes('error=')
      ? errorIn(received)
      : landing(await saml.complete(received.headers['location'] ?? '', trip.cookie));
  };
  const signIn = async () => finish(await saml.begin(tenant));
  const IN = expect.stringContaining('#ssoCode=');
});

const shaOf = ({ certificatePem }: SamlKey): string =>
  new X509Certificate(certificatePem).fingerprint256.replaceAll(':', '').toLowerCase();

const admin = () => saml.sso.service.as(tenant.admin);

/** A provider whose metadata `own` publishes. */
async function provider(keys: readonly SamlKey[], more: object = {}): Promise<string> {
  own.publish(metadata(keys));
  return saml.provider(tenant, {
    entityId: `${own.url}/idp`,
    ssoUrl: `${own.url}/sso`,
    certificate: keys.map(({ certificatePem }) => certificatePem).join('\n'),
    metadataUrl: `${own.url}/metadata`,
    ...more,
  });
}

const read = (body: object) => admin().post('/sso/providers/metadata').send(body);
const shown = async (id: string) => (await admin().get(`/sso/providers/${id}`)).body.data;
const trusted = async (id: string): Promise<string[]> =>
  (await shown(id)).certificates.map(({ sha256 }: { sha256: string }) => sha256).sort();
const refresh = async (id: string) => (await admin().post(`/sso/providers/${id}/metadata/refresh`).send()).body;
const changes = async (id: string) => (await admin().get(`/sso/providers/${id}/metadata-changes`)).body.data;
const settle = (id: string, how: 'apply' | 'dismiss', by = tenant.admin) =>
  saml.sso.service.as(by).post(`/sso/metadata-changes/${id}/${how}`).send();
const proven = (id: string, one: SamlKey | undefined) =>
  saml.sso.service.sql(
    'UPDATE sso_providers SET verified_certificates = $2, tested_version = config_version WHERE id = $1',
    [id, [shaOf(key(one))]],
  );
const shas = (...keys: (SamlKey | undefined)[]): string[] => keys.map((one) => shaOf(key(one))).sort();
const mails = async (to = 'corp.example'): Promise<string[]> => {
  do await saml.sso.service.service.app.get(DeliverMail, { strict: false }).round();
  while ((await saml.sso.service.sql('SELECT id FROM mail_outbox')).length > 0);
  const unfolded = saml.sso.identity.mails().map((mail) => mail.replaceAll('\r\n ', ' '));
  return unfolded.filter((mail) => mail.includes(to));
};

function metadata(
  keys: readonly SamlKey[],
  { entityId = `${own.url}/idp`, ssoUrl = `${own.url}/sso`, more = '' } = {},
) {
  const described = keys.map(
    ({ certificatePem }) =>
      `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificatePem.replace(/-----[^-]+-----|\s/g, '')}` +
      '</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>',
  );
  return (
    `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}"${more}>` +
    `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${described.join('')}` +
    `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${ssoUrl}"/>` +
    '</md:IDPSSODescriptor></md:EntityDescriptor>'
  );
}

function signed(xml: string, { privateKeyPem, certificatePem }: SamlKey): string {
  const signer = new SignedXml({
    privateKey: privateKeyPem,
    publicCert: certificatePem,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signer.addReference({
    xpath: '/*',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  });
  signer.computeSignature(xml, { prefix: 'ds', location: { reference: '/*', action: 'prepend' } });
  return signer.getSignedXml();
}
