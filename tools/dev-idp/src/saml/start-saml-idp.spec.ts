import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { newSamlKey, samlSignInAs, startSamlIdp, type ResponseFields, type SamlIdp } from '../index.ts';

describe('the local SAML identity provider', () => {
  let idp: SamlIdp;
  beforeAll(async () => void (idp = await startSamlIdp()));
  afterAll(() => idp.stop());

  it('signs a person in through its page and posts a response that a strict service provider accepts', async () => {
    const sp = serviceProvider(idp);
    const { url, form } = await signIn(sp, 'ada@acme.example');
    expect([url, form.get('RelayState')]).toEqual([ACS, 'state & "quoted"']);
    const { profile } = await sp.validatePostResponseAsync(Object.fromEntries(form));
    expect(profile).toMatchObject({
      issuer: idp.entityId,
      nameID: 'ada@acme.example',
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname': 'Ada',
    });
  });

  it('refuses strangers and assertion consumers elsewhere', async () => {
    await expect(signIn(serviceProvider(idp), 'nobody@acme.example')).rejects.toThrow('401');
    const elsewhere = new SAML({
      callbackUrl: 'http://127.0.0.1:1/acs',
      entryPoint: idp.ssoUrl,
      issuer: ENTITY,
      idpCert: [...idp.certificates],
    });
    await expect(signIn(elsewhere, 'ada@acme.example')).rejects.toThrow('400');
  });

  it('answers without a page in automatic mode, with the fields that a test asks for', async () => {
    const automatic = await startSamlIdp({
      autoLogin: true,
      defaultUser: 'grace@acme.example',
      responseFields: { signResponse: true },
    });
    const sp = serviceProvider(automatic, undefined, true);
    const { form } = await signIn(sp, 'unused');
    expect((await sp.validatePostResponseAsync(Object.fromEntries(form))).profile).toMatchObject({
      nameID: 'grace@acme.example',
    });
    await automatic.stop();
  });

  it('encrypts assertions as another library decrypts them', async () => {
    const { certificatePem: certificate, privateKeyPem: decryptionPvk } = await newSamlKey();
    const sp = serviceProvider(idp);
    Object.assign(sp.options, { decryptionPvk, validateInResponseTo: ValidateInResponseTo.never });
    for (const cipher of ['aes-128-gcm', 'aes-256-gcm'] as const) {
      const encryption = { certificate, cipher, transport: 'oaep-sha1' } as const;
      const { profile } = await sp.validatePostResponseAsync({
        SAMLResponse: idp.buildResponse(fields({ nameId: 'x@y.example', encryption })),
      });
      expect(profile?.nameID).toBe('x@y.example');
    }
  });

  it('builds responses with any field changed', async () => {
    expect(
      (await accepts(idp.buildResponse(fields({ nameId: 'x@y.example', algorithm: 'sha512' })))).profile?.nameID,
    ).toBe('x@y.example');
    const past = new Date(Date.now() - 600_000);
    const refused: [Partial<ResponseFields>, string][] = [
      [{ audience: 'https://other.example' }, 'audience'],
      [{ notOnOrAfter: past }, 'expired'],
      [{ signAssertion: false }, 'signature'],
      [{ key: await newSamlKey() }, 'signature'],
      [{ afterSigning: (xml) => xml.replace('ada@acme.example', 'eve@acme.example') }, 'signature'],
    ];
    for (const [changes, reason] of refused) {
      await expect(accepts(idp.buildResponse(fields(changes)))).rejects.toThrow(new RegExp(reason, 'i'));
    }
    const bare = Buffer.from(
      idp.buildResponse(fields({ recipient: null, destination: null, conditions: false })),
      'base64',
    ).toString();
    expect(bare).not.toMatch(/Recipient|Destination|InResponseTo|Conditions/);
  });

  it('publishes both certificates during a rollover, then signs with the new one only', async () => {
    const [first = ''] = idp.certificates;
    await idp.prepareRollover();
    const published = await (await fetch(idp.metadataUrl)).text();
    expect(published.match(/<ds:X509Certificate>/g)).toHaveLength(2);
    await accepts(idp.buildResponse(fields()), [first]);
    idp.completeRollover();
    await expect(accepts(idp.buildResponse(fields()), [first])).rejects.toThrow('signature');
    await accepts(idp.buildResponse(fields()));
    expect(new X509Certificate(idp.certificates[0] ?? '').subject).toBe('CN=Demo identity provider');
  });

  const accepts = async (samlResponse: string, certificates = [...idp.certificates]) => {
    const sp = new SAML({
      callbackUrl: ACS,
      issuer: ENTITY,
      audience: ENTITY,
      idpCert: certificates,
      wantAuthnResponseSigned: false,
      entryPoint: idp.ssoUrl,
      validateInResponseTo: ValidateInResponseTo.never,
    });
    return sp.validatePostResponseAsync({ SAMLResponse: samlResponse });
  };
});

const ACS = 'http://127.0.0.1:4567/api/v1/sso/saml/acs';
const ENTITY = 'http://127.0.0.1:4567/api/v1/sso/saml/metadata';

const serviceProvider = (idp: SamlIdp, idpCert: string[] = [...idp.certificates], wantAuthnResponseSigned = false) =>
  new SAML({
    callbackUrl: ACS,
    entryPoint: idp.ssoUrl,
    issuer: ENTITY,
    audience: ENTITY,
    idpCert,
    wantAuthnResponseSigned,
    validateInResponseTo: ValidateInResponseTo.always,
  });

const signIn = async (sp: SAML, email: string) =>
  samlSignInAs(email, await sp.getAuthorizeUrlAsync('state & "quoted"', undefined, {}));

const fields = (changes: Partial<ResponseFields> = {}) => ({
  acsUrl: ACS,
  audience: ENTITY,
  inResponseTo: null,
  ...changes,
});
