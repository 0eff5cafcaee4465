import { newId } from '@gatehouse/crypto';
import { buildResponseXml, newSamlKey } from '@gatehouse/dev-idp';
import { describe, expect, it } from '@jest/globals';
import { inflateRawSync } from 'node:zlib';
import {
  APP,
  besideAnIdp,
  browserOf,
  codeIn,
  errorIn,
  landing,
  type ScriptedIdp,
  type SsoHarness,
  type Tenant,
  type Trip,
} from './sso.harness.ts';

describe('a sign-in and the browser that began it', () => {
  let idp: ScriptedIdp;
  let sso: SsoHarness;
  let tenant: Tenant;
  besideAnIdp((made) => {
    ({ idp, sso, tenant } = made);
    idp.identity = { sub: newId(), email: `${newId()}@corp.example`, email_verified: true, name: 'Newcomer' };
  });

  it('belong together until the code is exchanged: no other browser can, and a wrong one uses nothing up (ATK-21a)', async () => {
    await sso.provider(tenant, idp);
    const [mine, theirs] = [codeIn(await sso.signIn(tenant)), codeIn(await sso.signIn(tenant))];
    const [own, other] = [browserOf(mine), browserOf(theirs)];
    expect(own).not.toBe(other);
    for (const cookie of [
      '',
      other,
      'svc_sso_browser=',
      `${own}x`,
      own.slice(0, -1),
      `${own}; ${other}`,
      own.replace('browser', 'state'),
    ]) {
      const answer = await sso.anonymous.post('/sso/exchange').set('cookie', cookie).send({ code: mine });
      expect([cookie, answer.body]).toEqual([cookie, expect.objectContaining(invalid)]);
    }
    expect((await sso.anonymous.post('/sso/exchange').send({ code: mine })).body).toMatchObject(invalid);
    expect((await sso.exchange(mine, `other=1; ${own}`)).status).toBe(200);
    expect((await sso.exchange(mine, own)).body).toMatchObject(invalid);
    expect((await sso.exchange(theirs, other)).status).toBe(200);
  });

  it('may have several tabs: each exchanges the code of its own sign-in (ATK-21b)', async () => {
    await sso.provider(tenant, idp);
    const first = codeIn(await sso.signIn(tenant));
    const browser = browserOf(first);
    const trip = await sso.start(tenant);
    const second = codeIn(await sso.callback(await sso.wayBack(trip), `${trip.cookie}; ${browser}`));
    expect(browserOf(second)).toBe(browser);
    expect([(await sso.exchange(first, browser)).status, (await sso.exchange(second, browser)).status]).toEqual([
      200, 200,
    ]);
  });

  it('store the browser as a hash, and a code of an older release, which has none, opens nothing (ATK-21c)', async () => {
    await sso.provider(tenant, idp);
    const code = codeIn(await sso.signIn(tenant));
    const rows = JSON.stringify(await sso.service.sql('SELECT * FROM sso_exchange_codes'));
    expect(rows).toMatch(/"browser_hash":"[0-9a-f]{64}"/);
    expect(rows).not.toContain(browserOf(code).split('=')[1] ?? '');
    await sso.service.sql('UPDATE sso_exchange_codes SET browser_hash = NULL');
    expect((await sso.exchange(code)).body).toMatchObject(invalid);
  });

  it('a forged callback leaves the state cookie and the attempt valid (ATK-19a)', async () => {
    await sso.provider(tenant, idp);
    const trip = await sso.start(tenant);
    for (const forged of [
      '?code=x&state=y',
      '?error=access_denied&state=y',
      '?code=x',
      '',
      `?code=x&state=${newId()}`,
    ]) {
      const answer = await sso.callback(forged, trip.cookie);
      expect([forged, errorIn(answer), answer.headers['set-cookie']]).toEqual([forged, 'session_expired', undefined]);
    }
    const completion = await sso.anonymous.get('/sso/saml/complete?handle=x').set('cookie', trip.cookie);
    expect([errorIn(completion), completion.headers['set-cookie']]).toEqual(['session_expired', undefined]);
    expect(landing(await sso.callback(await sso.wayBack(trip), trip.cookie))).toEqual(SIGNED_IN);
  });

  it('are not ended by a form at the door of the other protocol (ATK-19b)', async () => {
    await sso.provider(tenant, idp);
    const trip = await sso.start(tenant);
    const state = new URL(trip.url).searchParams.get('state') ?? '';
    for (let attempt = 0; attempt < 7; attempt++) {
      const answer = await sso.anonymous
        .post('/sso/saml/acs')
        .type('form')
        .send({ SAMLResponse: 'eA==', RelayState: state });
      expect(errorIn(answer)).toBe('session_expired');
    }
    expect(landing(await sso.callback(await sso.wayBack(trip), trip.cookie))).toEqual(SIGNED_IN);
  });

  it('open no callback of the other protocol, whose settings the provider may still have (ATK-19f)', async () => {
    const id = await sso.provider(tenant, idp, { scopes: 'profile email' });
    const { certificatePem: certificate } = await newSamlKey();
    const saml = { type: 'saml', entityId: 'urn:idp', ssoUrl: 'https://idp.example/sso', certificate };
    expect((await sso.service.as(tenant.admin).patch(`/sso/providers/${id}`).send(saml)).status).toBe(200);
    const trip = await sso.begin(`/sso/saml/login/${tenant.orgId}`);
    const state = new URL(trip.url).searchParams.get('RelayState');
    idp.clear();
    idp.once({
      token: { status: 200, body: () => ({ access_token: 'x', token_type: 'Bearer' }) },
      userinfo: { status: 200, body: () => idp.identity },
    });
    expect(errorIn(await sso.callback(`?code=x&state=${state}`, trip.cookie))).toBe('session_expired');
    expect(idp.hits.token).toBe(0);
    idp.clear();
  });

  async function samlTrip(): Promise<{ trip: Trip; answer: (forged: boolean) => Promise<string> }> {
    const [key, stranger] = [await newSamlKey(), await newSamlKey()];
    const settings = {
      name: 'SAML',
      type: 'saml',
      entityId: 'urn:idp',
      ssoUrl: 'https://idp.example/sso',
      certificate: key.certificatePem,
    };
    const admin = sso.service.as(tenant.admin);
    const { body } = await admin
      .post('/sso/providers')
      .send({ ...settings, orgId: tenant.orgId, defaultRoleId: '00000000-0000-7000-8000-000000000005' });
    await admin.post(`/sso/providers/${body.data.id}/status`).send({ status: 'active' });
    await sso.service.sql(
      'INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at) VALUES ($1, $2, $3, $4, $5, now())',
      [newId(), tenant.partnerId, tenant.orgId, 'corp.example', 't'],
    );
    const trip = await sso.begin(`/sso/saml/login/${tenant.orgId}`);
    const query = new URL(trip.url).searchParams;
    const request = inflateRawSync(Buffer.from(query.get('SAMLRequest') ?? '', 'base64')).toString();
    const inResponseTo = /ID="([^"]+)"/.exec(request)?.[1] ?? '';
    const fields = {
      issuer: 'urn:idp',
      audience: `${APP}/api/v1/sso/saml/metadata`,
      acsUrl: `${APP}/api/v1/sso/saml/acs`,
      inResponseTo,
      nameId: `${newId()}@corp.example`,
    };
    const answer = async (forged: boolean): Promise<string> => {
      const xml = await buildResponseXml({ ...fields, key: forged ? stranger : key });
      const form = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: query.get('RelayState') ?? '' };
      return landing(await sso.anonymous.post('/sso/saml/acs').type('form').send(form));
    };
    return { trip, answer };
  }

  it('survive a forged SAML response, and the right one counts once (ATK-19c)', async () => {
    const { trip, answer } = await samlTrip();
    for (let attempt = 0; attempt < 3; attempt++) expect(await answer(true)).toBe('/login?error=sso_error');
    const received = await answer(false);
    expect(received).toMatch(/\/sso\/saml\/complete\?handle=/);
    expect(await answer(false)).toBe('/login?error=session_expired');
    const wrongBrowser = await sso.anonymous
      .get(received.replace('/api/v1', ''))
      .set('cookie', (await sso.begin(`/sso/saml/login/${tenant.orgId}`)).cookie);
    expect(errorIn(wrongBrowser)).toBe('session_expired');
    const done = await sso.anonymous.get(received.replace('/api/v1', '')).set('cookie', trip.cookie);
    expect(landing(done)).toEqual(SIGNED_IN);
    expect((await sso.exchange(codeIn(done))).status).toBe(200);
  });

  const invalid = { status: 400, code: 'exchange_code_invalid', detail: 'Invalid or expired token exchange code.' };
});

const SIGNED_IN = expect.stringMatching(/#ssoCode=/);
