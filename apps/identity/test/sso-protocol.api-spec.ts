import { newId } from '@gatehouse/crypto';
import type { IdTokenScript, Reply } from '@gatehouse/dev-idp';
import { describe, expect, it } from '@jest/globals';
import { besideAnIdp, errorIn, landing, type ScriptedIdp, type SsoHarness, type Tenant } from './sso.harness.ts';

describe('what an OpenID provider must say', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  besideAnIdp((made) => {
    ({ idp, sso, tenant } = made);
    idp.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'Newcomer' };
  });

  it.each<unknown>(['mac', 'DPoP', 'N_A', '', undefined, null, 7, ['Bearer'], 'Bearer '])(
    'is not that its tokens are of the type %j (ATK-20a)',
    async (type) => {
      await withProvider(async (own) => {
        const before = await sso.counts();
        own.once({ token: answer({ token_type: type }) });
        expect(errorIn(await sso.signIn(tenant))).toBe('sso_error');
        expect([await sso.counts(), own.hits.userinfo]).toEqual([before, 0]);
      });
    },
  );

  it.each(['Bearer', 'bearer', 'BEARER'])('may be that its tokens are of the type %s (ATK-20a)', async (type) => {
    await withProvider(async (own) => {
      own.once({ token: answer({ token_type: type }) });
      expect(landing(await sso.signIn(tenant))).toEqual(SIGNED_IN);
    });
  });

  it('is its name in the callback, when it announced that (ATK-20b)', async () => {
    idp.always({ discovery: answer({ authorization_response_iss_parameter_supported: true }) });
    const id = await sso.provider(tenant, idp);
    const withIss = async (iss: string): Promise<string> => {
      const trip = await sso.start(tenant);
      return landing(await sso.callback(`${await sso.wayBack(trip)}${iss}`, trip.cookie));
    };
    idp.clear();
    expect(await withIss('')).toBe('/login?error=sso_error');
    expect(await withIss('&iss=https%3A%2F%2Fother.example')).toBe('/login?error=sso_error');
    expect(idp.hits.token).toBe(0);
    expect(await withIss(`&iss=${encodeURIComponent(idp.issuer)}`)).toEqual(SIGNED_IN);
    expect((await sso.service.as(tenant.admin).get(`/sso/providers/${id}`)).body.data).not.toHaveProperty(
      'announcesIss',
    );
  });

  it('is nothing about its name when it announced nothing (ATK-20b)', async () => {
    await withProvider(async () => expect(landing(await sso.signIn(tenant))).toEqual(SIGNED_IN));
  });

  it('starts with an issuer without credentials, query and fragment, and endpoints without credentials and fragment (ATK-20c)', async () => {
    const admin = sso.service.as(tenant.admin);
    const create = (more: object) =>
      admin.post('/sso/providers').send({ orgId: tenant.orgId, name: 'IdP', type: 'oidc', ...more });
    const { body } = await create({ issuer: idp.issuer, clientId: idp.clientId, clientSecret: idp.clientSecret });
    const path = `/sso/providers/${body.data.id}`;
    const before = (await admin.get(path)).body;
    const bad = [
      ...[
        'https://user:pw@idp.example',
        'https://user@idp.example',
        'https://@idp.example',
        'https://idp.example?a=b',
        'https://idp.example/?',
        'https://idp.example/#x',
        'https://idp.example#',
      ].map((url) => ['issuer', url]),
      ...['authorizationUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl', 'ssoUrl'].flatMap((name) =>
        ['https://user:pw@idp.example/x', 'https://idp.example/x#y', 'https://idp.example/x#'].map((url) => [
          name,
          url,
        ]),
      ),
    ];
    for (const [name = '', url] of bad) {
      const refused = { status: 400, code: 'validation_failed', issues: [expect.objectContaining({ path: name })] };
      expect([name, url, (await create({ [name]: url })).body]).toEqual([name, url, expect.objectContaining(refused)]);
      expect([name, url, (await admin.patch(path).send({ [name]: url })).body]).toEqual([
        name,
        url,
        expect.objectContaining(refused),
      ]);
    }
    expect((await admin.get(path)).body).toEqual(before);
  });

  it.each(['token_endpoint', 'authorization_endpoint', 'jwks_uri'])(
    'is a discovery document whose %s has no fragment (ATK-20c)',
    async (name) => {
      idp.always({ discovery: { body: (regular) => ({ ...regular, [name]: `${String(regular[name])}#x` }) } });
      const { body } = await sso.service
        .as(tenant.admin)
        .post('/sso/providers')
        .send({ orgId: tenant.orgId, name: 'IdP', type: 'oidc', issuer: idp.issuer });
      idp.clear();
      expect(body.data).toMatchObject({ warnings: [{ code: 'oidc_discovery_failed' }], tokenUrl: null });
    },
  );

  /** A provider of its own, so that no limit was met before. */
  async function withProvider(use: (own: ScriptedIdp) => Promise<void>): Promise<void> {
    idp.clear();
    await sso.provider(tenant, idp);
    await use(idp);
    idp.clear();
  }
});

describe('the keys of an OpenID provider', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  besideAnIdp((made) => {
    ({ idp, sso, tenant } = made);
    idp.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'Newcomer' };
  });

  it('are fetched again at most once a minute for keys that they lack, one after the other or at once (ATK-22a)', async () => {
    await sso.provider(tenant, idp);
    expect(landing(await sso.signIn(tenant))).toEqual(SIGNED_IN);
    idp.clear();
    await refusedSignIns(6, unknownKid);
    expect(idp.hits.jwks).toBe(1);
    await refusedSignIns(4, () => ({ key: 'foreign' }));
    expect(idp.hits.jwks).toBe(2);
    idp.always({ idToken: unknownKid(99) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => sso.signIn(tenant)));
    expect([new Set(answers.map(errorIn)), idp.hits.jwks]).toEqual([new Set(['sso_error']), 2]);
    idp.clear();
    expect(landing(await sso.signIn(tenant))).toEqual(SIGNED_IN);
  });

  it('are fetched once by a provider whose first tokens name keys that it does not publish (ATK-22a)', async () => {
    await sso.provider(tenant, idp);
    idp.clear();
    await refusedSignIns(4, unknownKid);
    expect(idp.hits.jwks).toBe(1);
  });

  it('may rotate again and again just before signing, for several people at once (ATK-22b)', async () => {
    await sso.provider(tenant, idp);
    await sso.signIn(tenant);
    for (let round = 0; round < 3; round++) {
      idp.clear();
      idp.rotateKeys();
      const answers = await Promise.all([sso.signIn(tenant), sso.signIn(tenant), sso.signIn(tenant)]);
      expect(answers.map(landing)).toEqual([SIGNED_IN, SIGNED_IN, SIGNED_IN]);
      expect(idp.hits.jwks).toBeLessThanOrEqual(2);
    }
  });

  const unknownKid = (at: number): IdTokenScript => ({ header: { kid: `made-up-${at}` }, key: 'foreign' });

  async function refusedSignIns(count: number, script: (at: number) => IdTokenScript): Promise<void> {
    for (let at = 0; at < count; at++) {
      idp.once({ idToken: script(at) });
      expect(errorIn(await sso.signIn(tenant))).toBe('sso_error');
    }
  }
});

const SIGNED_IN = expect.stringMatching(/#ssoCode=/);
const answer = (change: object): Reply => ({ body: (regular) => ({ ...regular, ...change }) });
