import { anOrgAdmin, aPartnerAdmin, aPartnerTechnician, anApiKey } from '@gatehouse/testing';
import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { SamlHarness } from './saml.harness.ts';

const saml = await SamlHarness.start();
const tenant = await saml.tenant();
const published = await (await fetch(saml.idp.metadataUrl)).text();
afterAll(() => saml.stop());

describe('the metadata of a SAML provider', () => {
  it('is read from a text and from an address, without a second factor (SSO-54)', async () => {
    const { entityId, ssoUrl, metadataUrl } = saml.idp;
    const byAddress = await read({ url: metadataUrl });
    expect([byAddress.status, byAddress.body.data]).toEqual([
      200,
      { entityId, ssoUrl, certificates: expect.any(Array), warnings: [] },
    ]);
    expect(byAddress.body.data.certificates[0]).toEqual({
      subject: 'CN=Demo identity provider',
      notBefore: expect.any(String),
      notAfter: expect.any(String),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const commented = published.replace('<md:IDPSSODescriptor', '<!-- made by <us> --><md:IDPSSODescriptor');
    expect((await read({ xml: `\uFEFF${commented}` })).body).toEqual(byAddress.body);
    const [certificate] = (await read({ xml: published, withPem: true })).body.data.certificates;
    const { fingerprint256 } = new X509Certificate(certificate.pem);
    expect(fingerprint256.replaceAll(':', '').toLowerCase()).toBe(certificate.sha256);
    const key = anApiKey({ level: 'partner', partnerId: tenant.partnerId, permissions: ['organizations:write'] });
    expect((await read({ xml: published }, key)).status).toBe(200);
    expect(await saml.sso.service.sql('SELECT FROM sso_providers')).toEqual([]);
  });

  it('warns of certificates that cannot be trusted', async () => {
    const descriptor = /<md:KeyDescriptor.*?<\/md:KeyDescriptor>/s.exec(published)?.[0] ?? '';
    const other = saml.key.certificatePem.replace(/-----[^-]+-----|\s+/g, '');
    const three = published.replace(descriptor, (own) => own + own.replace(/(X509Certificate>)[^<]+/, `$1${other}`));
    const { data } = (await read({ xml: three })).body;
    expect(data.certificates.length).toBeGreaterThan(1);
    expect(data.warnings.map(({ code }: { code: string }) => code)).toEqual(
      data.certificates.length > 2 ? ['saml_certificates_many'] : [],
    );
  });

  it('is refused when it is none, or is hostile', async () => {
    const role = /<md:IDPSSODescriptor.*<\/md:IDPSSODescriptor>/s.exec(published)?.[0] ?? '';
    const documents = [
      'nonsense',
      '<a/>',
      `<!DOCTYPE x [<!ENTITY e "e">]>${published.replace(/^<\?xml[^>]*>/, '')}`,
      published.replace(role, ''),
      published.replace(role, role + role),
      published.replace('bindings:HTTP-Redirect', 'bindings:SOAP'),
      published.replaceAll(/(X509Certificate>)[^<]+/g, '$1bm9uZQ=='),
      published.replace('entityID=', 'other='),
      `${published}<!-- `,
      `${'<!--'.repeat(20_000)}`,
      '<a>'.repeat(20_000),
    ];
    for (const xml of documents)
      expect([xml.slice(0, 60), (await read({ xml })).body.code]).toEqual([xml.slice(0, 60), 'saml_metadata_invalid']);
    const unreachable = ['https://127.0.0.1/x', 'http://example.com/x', 'nonsense', `${saml.idp.metadataUrl}/missing`];
    for (const url of unreachable)
      expect([url, (await read({ url })).body.code]).toEqual([url, 'saml_metadata_unreachable']);
    for (const body of [{}, { url: saml.idp.metadataUrl, xml: published }, { xml: published, force: true }])
      expect((await read(body)).body.code).toBe('validation_failed');
  });

  it('is for callers who may configure the whole organisation', async () => {
    const { partnerId, orgId } = tenant;
    const confined = anOrgAdmin(partnerId, orgId, { sites: [newId()] });
    expect((await read({ xml: published }, confined)).body.code).toBe('site_access_denied');
    expect((await read({ xml: published }, aPartnerTechnician(partnerId))).body.code).toBe('permission_denied');
    expect((await read({ xml: published }, aPartnerAdmin(partnerId, { mfa: false }))).status).toBe(200);
  });

  const read = (body: object, by = tenant.admin) => saml.sso.service.as(by).post('/sso/providers/metadata').send(body);
});
