import { newId } from '@gatehouse/crypto';
import { buildResponseXml, type Claims } from '@gatehouse/dev-idp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { EMAIL, SamlHarness } from './saml.harness.ts';
import {
  besideAnIdp,
  codeIn,
  errorIn,
  landing,
  type ScriptedIdp,
  type SsoHarness,
  type Tenant,
} from './sso.harness.ts';

const MULTIPLE = 'http://schemas.microsoft.com/claims/multipleauthn';
const METHODS = 'http://schemas.microsoft.com/claims/authnmethodsreferences';
const TWO_FACTORS = 'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract';

describe('an OpenID provider as it really is', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  besideAnIdp((made) => ({ idp, sso, tenant } = made));
  beforeEach(() => {
    idp.clear();
    idp.identity = { sub: newId(), email: `p-${newId()}@corp.example`, email_verified: true, name: 'Pat' };
  });

  it.each<[string, object, object, boolean]>([
    ['acrs that was asked for', { acrs: ['c1'] }, { acrs: ['c1'] }, true],
    ['another context', { acrs: ['c1'] }, { acrs: ['c2'] }, false],
    ['acrs without a configured value', {}, { acrs: ['c1'] }, false],
    ['a value that was pasted with blanks', { acrs: [' c1\u00a0\n'] }, { acrs: ['c1'] }, true],
    ['amr', {}, { amr: ['pwd', 'mfa'] }, true],
  ])('SSO-89: proves a second factor by %s (%j, %j: %s)', async (_, mfaEvidenceValues, claims, isProven) => {
    await sso.provider(tenant, idp, {
      preset: null,
      trustsIdpMfa: true,
      mfaEvidence: ['amr', 'acrs'],
      mfaEvidenceValues,
    });
    idp.always({ idToken: { claims: (regular) => ({ ...regular, ...claims }) } });
    expect(await hasSecondFactor()).toBe(isProven);
  });

  it('ENTRA-01: proves no second factor by a claim of userinfo', async () => {
    await sso.provider(tenant, idp, { trustsIdpMfa: true, mfaEvidence: ['acrs'], mfaEvidenceValues: { acrs: ['c1'] } });
    idp.always({ userinfo: { body: (regular) => ({ ...regular, acrs: ['c1'] }) } });
    expect(await hasSecondFactor()).toBe(false);
  });

  it('SSO-89: is asked for the contexts that count', async () => {
    await sso.provider(tenant, idp, { trustsIdpMfa: true, mfaEvidence: ['acrs'], mfaEvidenceValues: { acrs: ['c1'] } });
    const { searchParams } = new URL((await sso.start(tenant)).url);
    expect(JSON.parse(searchParams.get('claims') ?? 'null')).toEqual({
      id_token: { acrs: { essential: true, value: 'c1' } },
    });
  });

  it('SSO-91: vouches at Entra for an address by xms_edov', async () => {
    await entra({}, { xms_edov: true });
    expect(refusalIn(await sso.signIn(tenant))).toBe('');
  });

  it.each([
    ['ENTRA-02: beside email_verified', { xms_edov: true, email_verified: false }, 'email_unverified'],
    ['ENTRA-03: of a guest whose address the tenant does not own', { xms_edov: false }, 'email_unverified'],
    ['ENTRA-05: of another tenant', { xms_edov: true, tid: newId() }, 'email_unverified'],
  ])('%s, xms_edov lets no one in', async (_, idToken, code) => {
    await entra({}, idToken);
    expect(refusalIn(await sso.signIn(tenant))).toBe(code);
  });

  it('SSO-91: names its users by oid, and refuses an ID token without one', async () => {
    const id = await entra({ subjectClaim: 'oid' }, { xms_edov: true, oid: 'object-1' });
    expect(refusalIn(await sso.signIn(tenant))).toBe('');
    expect(await sso.service.sql('SELECT external_id FROM sso_identity_links WHERE provider_id = $1', [id])).toEqual([
      { external_id: 'object-1' },
    ]);
    idp.always({ idToken: { claims: (regular) => ({ ...regular, iss: ENTRA, tid: ENTRA_TENANT }) } });
    expect(refusalIn(await sso.signIn(tenant))).toBe('sso_error');
  });

  it('SSO-91: takes oid only with the issuer of one tenant', async () => {
    const refused = await sso.service.as(tenant.admin).post('/sso/providers').send({
      orgId: tenant.orgId,
      name: 'X',
      type: 'oidc',
      issuer: idp.issuer,
      subjectClaim: 'oid',
    });
    expect(refused.body).toMatchObject({ code: 'validation_failed', issues: [{ path: 'subjectClaim' }] });
  });

  it('ENTRA-04: another client at Entra ends the links, once their number is confirmed', async () => {
    const id = await entra({}, { xms_edov: true });
    await sso.signIn(tenant);
    const change = (body: object) => sso.service.as(tenant.admin).patch(`/sso/providers/${id}`).send(body);
    expect((await change({ clientId: 'other' })).body).toMatchObject({
      code: 'links_would_break',
      status: 409,
      links: 1,
    });
    expect((await change({ clientId: 'other', confirmRelink: 2 })).body).toMatchObject({ links: 1 });
    expect((await change({ clientId: 'other', confirmRelink: 1 })).status).toBe(200);
    expect(await sso.service.sql('SELECT FROM sso_identity_links WHERE provider_id = $1', [id])).toEqual([]);
    expect((await change({ confirmRelink: 1 })).body.code).toBe('no_updates_provided');
  });

  it('SSO-89: changing the evidence takes the second factor from sessions that stand on the former', async () => {
    const id = await sso.provider(tenant, idp, { trustsIdpMfa: true });
    idp.identity = { ...idp.identity, amr: ['mfa'] };
    const { accessToken } = (await sso.exchange(codeIn(await sso.signIn(tenant)))).body;
    await sso.service
      .as(tenant.admin)
      .patch(`/sso/providers/${id}`)
      .send({ mfaEvidence: ['acr'] })
      .expect(200);
    expect((await sso.identity.principalOf(accessToken)).mfa).toBe(false);
  });

  it.each([
    [{ mfaEvidence: [] }, 'mfaEvidence'],
    [{ mfaEvidence: ['sms'] }, 'mfaEvidence'],
    [{ mfaEvidenceValues: { sms: ['x'] } }, 'mfaEvidenceValues.sms'],
    [{ mfaEvidenceValues: { acr: Array.from({ length: 21 }, String) } }, 'mfaEvidenceValues.acr'],
    [{ subjectClaim: 'email' }, 'subjectClaim'],
    [{ attributeMapping: { email: 'friendly:', name: 'name' } }, 'attributeMapping.email'],
  ])('refuses the settings %j', async (body, path) => {
    const id = await sso.provider(tenant, idp);
    const refused = await sso.service.as(tenant.admin).patch(`/sso/providers/${id}`).send(body);
    expect(refused.body).toMatchObject({ code: 'validation_failed', issues: [{ path }] });
  });

  /** The scripted provider under the issuer of a tenant of Entra; its endpoints stay on loopback. */
  async function entra(more: object, idToken: object, userinfo: object = {}): Promise<string> {
    const { email_verified: _, ...identity } = idp.identity as Claims;
    idp.identity = identity as never;
    idp.always({
      authorize: { body: (regular) => ({ ...regular, iss: ENTRA }) },
      idToken: { claims: (regular) => ({ ...regular, iss: ENTRA, tid: ENTRA_TENANT, ...idToken }) },
      userinfo: { body: (regular) => ({ ...regular, ...userinfo }) },
    });
    const id = await sso.provider(tenant, idp, { preset: 'azure-ad' });
    await sso.service.sql('UPDATE sso_providers SET issuer = $2 WHERE id = $1', [id, ENTRA]);
    if (Object.keys(more).length > 0)
      expect((await sso.service.as(tenant.admin).patch(`/sso/providers/${id}`).send(more)).status).toBe(200);
    return id;
  }

  const hasSecondFactor = async (): Promise<boolean> => {
    const tokens = await sso.exchange(codeIn(await sso.signIn(tenant)));
    return Boolean((await sso.identity.principalOf(tokens.body.accessToken)).mfa);
  };
});

describe('a SAML provider as it really is', () => {
  let saml: SamlHarness;
  beforeAll(async () => {
    saml = await SamlHarness.start();
  });
  afterAll(() => saml.stop());

  it.each<[string, object, object, boolean]>([
    ['methods of Entra', { mfaEvidence: ['authnmethods'] }, { attributes: { [METHODS]: ['x', MULTIPLE] } }, true],
    [
      'methods that are not asked for',
      { mfaEvidence: ['authncontext'] },
      { attributes: { [METHODS]: MULTIPLE } },
      false,
    ],
    ['a context of two factors', { mfaEvidence: ['authncontext'] }, { authnContext: TWO_FACTORS }, true],
    ['a password alone', { mfaEvidence: ['authncontext'] }, {}, false],
    [
      'an untrusted provider',
      { trustsIdpMfa: false, mfaEvidence: ['authncontext'] },
      { authnContext: TWO_FACTORS },
      false,
    ],
  ])('SSO-89: %s: %j with %j is %s', async (_, settings, fields, hasSecondFactor) => {
    expect(await signIn({ trustsIdpMfa: true, ...settings }, fields)).toEqual({ error: '', hasSecondFactor });
  });

  it('SSO-90: reads an attribute by its FriendlyName, and refuses two of them', async () => {
    const settings = { attributeMapping: { email: 'friendly:mail', name: 'name' } };
    const fields = { nameId: 'opaque', nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' };
    const friendly = { attributes: { 'urn:x:1': EMAIL }, friendlyNames: { 'urn:x:1': 'mail' } };
    expect((await signIn(settings, { ...fields, ...friendly })).error).toBe('');
    const twice = {
      attributes: { 'urn:x:1': EMAIL, 'urn:x:2': EMAIL },
      friendlyNames: { 'urn:x:1': 'mail', 'urn:x:2': 'mail' },
    };
    expect((await signIn(settings, { ...fields, ...twice })).error).toBe('sso_error');
  });

  async function signIn(settings: object, fields: object): Promise<{ error: string; hasSecondFactor: boolean }> {
    const tenant = await saml.tenant();
    await saml.provider(tenant, { certificate: saml.certificates, ...settings });
    const trip = await saml.begin(tenant);
    const posted = await saml.postXml(trip, buildResponseXml({ ...saml.honest(trip), ...fields }));
    if (refusalIn(posted)) return { error: refusalIn(posted), hasSecondFactor: false };
    const done = await saml.complete(posted.headers['location'] ?? '', trip.cookie);
    const tokens = await saml.sso.exchange(codeIn(done));
    const { mfa } = await saml.sso.identity.principalOf(tokens.body.accessToken);
    await saml.sso.service.sql('DELETE FROM users WHERE email = $1', [EMAIL]);
    return { error: refusalIn(done), hasSecondFactor: Boolean(mfa) };
  }
});

const ENTRA_TENANT = '11111111-2222-4333-8444-555555555555';
const ENTRA = `https://login.microsoftonline.com/${ENTRA_TENANT}/v2.0`;

/** The error that a browser lands with, or an empty text. */
function refusalIn(response: Response): string {
  const error = errorIn(response);
  return error === landing(response) ? '' : error;
}
