import { afterAll, describe, expect, it } from '@jest/globals';
import { anOrgAdmin } from '@gatehouse/testing';
import { ACS, ENTITY_ID, SamlHarness } from './saml.harness.ts';
import { SsoHarness } from './sso.harness.ts';

const saml = await SamlHarness.start();
const tenant = await saml.tenant();
const providerId = await saml.provider(tenant, { certificate: saml.certificates });
afterAll(() => saml.stop());

describe('a SAML provider and its metadata', () => {
  it('publishes metadata, with our own name escaped in it (SAML-37)', async () => {
    const { text, headers } = await metadata();
    expect(headers['content-type']).toContain('application/samlmetadata+xml');
    expect(text).toContain(`entityID="${ENTITY_ID}"`);
    expect(text).toContain(`Location="${ACS}"`);
    expect(text).toContain('WantAssertionsSigned="true"');
    expect(text).toContain('urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress');
    expect(text).not.toContain('PRIVATE');
    const odd = await SsoHarness.start(
      [idp.ssoUrl],
      { SAML_ENTITY_ID: 'https://sp.example/?a=1&b="<2>' },
      { replicaOf: sso.service },
    );
    expect((await metadata(odd)).text).toMatch(/entityID="https:\/\/sp\.example\/\?a=1&amp;b=&quot;&lt;2(>|&gt;)"/);
    await odd.stop();
  });

  it('tells what an identity provider must know of us (SSO-53)', async () => {
    const viewer = anOrgAdmin(tenant.partnerId, tenant.orgId, { permissions: [] });
    const { body } = await sso.service.as(viewer).get('/sso/service-provider');
    const { origin } = new URL(ACS);
    expect(body).toEqual({
      data: {
        callbackUrl: `${origin}/api/v1/sso/callback`,
        acsUrl: ACS,
        entityId: ENTITY_ID,
        metadataUrl: `${origin}/api/v1/sso/saml/metadata`,
      },
    });
    expect((await sso.service.as(null).get('/sso/service-provider')).status).toBe(401);
  });

  it('names the SAML entry when the OpenID one is used, and begins nothing there', async () => {
    const attempts = async (): Promise<number> => (await sso.service.sql('SELECT FROM sso_login_sessions')).length;
    const before = await attempts();
    expect((await sso.anonymous.get(`/sso/login/${tenant.orgId}`)).body).toMatchObject({
      code: 'sso_protocol_mismatch',
      loginUrl: `/api/v1/sso/saml/login/${tenant.orgId}`,
    });
    expect(await attempts()).toBe(before);
    expect((await sso.anonymous.get(`/sso/check/${tenant.orgId}`)).body).toEqual({
      ssoEnabled: true,
      provider: { id: providerId, name: 'SAML IdP', type: 'saml' },
      enforceSSO: false,
      loginUrl: `/api/v1/sso/saml/login/${tenant.orgId}`,
    });
  });

  it('takes a certificate in every form that people paste', async () => {
    const [pem] = idp.certificates as [string];
    const bare = pem.replace(/-----[^-]+-----|\s/g, '');
    const forms = [
      pem.replaceAll('\n', ' '),
      `subject=CN=x\r\n${pem.replaceAll('\n', '\r\n')}`,
      bare,
      (bare.match(/.{1,76}/g) ?? []).join('\n'),
      `${bare},${bare}`,
    ];
    for (const certificate of forms) {
      expect(
        (await sso.service.as(tenant.admin).patch(`/sso/providers/${providerId}`).send({ certificate })).status,
      ).toBe(200);
      const { body } = await sso.service.as(tenant.admin).post(`/sso/providers/${providerId}/test`).send();
      expect(body.saml.certificates[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    for (const certificate of ['x', `${bare},${bare},${bare}`]) {
      expect(
        (await sso.service.as(tenant.admin).patch(`/sso/providers/${providerId}`).send({ certificate })).body,
      ).toMatchObject({ status: 400, code: 'saml_configuration_invalid' });
    }
  });

  it('reads the certificates when tested', async () => {
    const { body } = await sso.service.as(tenant.admin).post(`/sso/providers/${providerId}/test`).send();
    expect(body).toMatchObject({
      success: true,
      saml: { entityId: idp.entityId, certificates: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }, {}] },
    });
    const { data: shown } = (await sso.service.as(tenant.admin).get(`/sso/providers/${providerId}`)).body;
    expect(shown.certificates).toEqual(body.saml.certificates);
    expect(shown.certificates[0]).toEqual({
      subject: expect.any(String),
      notBefore: expect.any(String),
      notAfter: expect.any(String),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const bad = await sso.service
      .as(tenant.admin)
      .patch(`/sso/providers/${providerId}`)
      .send({ certificate: 'nonsense' });
    expect(bad.body).toMatchObject({ status: 400, code: 'saml_configuration_invalid' });
  });

  async function metadata(
    from: Pick<SsoHarness, 'anonymous'> = sso,
  ): Promise<{ text: string; headers: Record<string, string> }> {
    return from.anonymous
      .get('/sso/saml/metadata')
      .buffer(true)
      .parse((response, done) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => done(null, body));
      })
      .then((answer) => ({ text: String(answer.body), headers: answer.headers as Record<string, string> }));
  }
});

const { idp, sso } = saml;
