import { newId } from '@gatehouse/crypto';
import { type SamlIdp, samlSignInAs, startSamlIdp } from '@gatehouse/dev-idp';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN, totp, TOTP_SECRET } from './identity.harness.ts';
import {
  errorIn,
  landing,
  type ScriptedIdp,
  SsoHarness,
  startScriptedIdp,
  type Tenant,
  type Trip,
} from './sso.harness.ts';

/**
 * the ring grows, changes its first key, everything is sealed again, the old key goes. Each step is a replica on
 * the same database.
 */
describe('a change of the encryption key', () => {
  let oidc: ScriptedIdp;
  let saml: SamlIdp;
  let before: SsoHarness;
  let tenant: Tenant;
  let samlTenant: Tenant;
  let refreshToken: string;
  let successor: string;
  let parkedCookie: string;
  let samlTrip: Trip;
  let samlHandle: string;

  beforeAll(async () => {
    oidc = await startScriptedIdp();
    saml = await startSamlIdp();
    before = await SsoHarness.start([oidc.issuer, saml.ssoUrl], {
      SECRET_ENCRYPTION_KEY: key(1),
      BOOTSTRAP_ADMIN_TOTP_SECRET: TOTP_SECRET,
      ...WAITING,
    });
    tenant = await before.tenant();
    await before.provider(tenant, oidc);
    oidc.identity = { sub: newId(), email: `linked-${newId()}@corp.example`, email_verified: true, name: 'Linked' };
    expect(landing(await before.signIn(tenant))).toContain('#ssoCode=');
    await before.anonymous.post('/auth/forgot-password').send({ email: ADMIN.email });
    parkedCookie = await parkLink();
    await beginSaml();
    await refreshOnce();
    await before.service.sql(
      `UPDATE refresh_tokens SET rotated_at = now() + interval '10 minutes' WHERE rotated_at IS NOT NULL`,
    );
  });
  afterAll(async () => {
    await before.stop();
    await oidc.stop();
    await saml.stop();
  });

  it('reaches every sealed value, in slices that may be repeated, and the old key can go', async () => {
    const rolling = await replica(`k2:${key(2)},k1:${key(1)}`);
    const stale = await reportOf(rolling);
    expect(stale.counts.every(({ keyId, known }) => keyId !== stale.primary && known)).toBe(true);
    const filled = new Set(stale.counts.map(({ column }) => column));
    expect(stale.columns.filter((column) => !filled.has(column))).toEqual(['idempotency_keys.sealed_result']);

    for (const column of stale.columns) {
      const slice = () =>
        rolling.service
          .asService('operator')
          .post('/internal/operator/sealed-secrets/reseal')
          .send({ column, fromBlock: 0 });
      const expected = stale.counts
        .filter((count) => count.column === column)
        .reduce((sum, { count }) => sum + count, 0);
      expect((await slice()).body).toEqual({ resealed: expected, unreadable: 0, next: null });
      expect((await slice()).body).toEqual({ resealed: 0, unreadable: 0, next: null });
    }
    const fresh = await reportOf(rolling);
    expect(fresh.counts.every(({ keyId }) => keyId === fresh.primary)).toBe(true);
    expect(await rolling.service.audits('sealed_secret.reseal')).toHaveLength(stale.columns.length - 1);
    const signedIn = await rolling.anonymous.get(samlHandle).set('cookie', samlTrip.cookie);
    expect(landing(signedIn)).toContain('#ssoCode=');
    await rolling.stop();

    const after = await replica(key(2));
    const { body } = await after.identity.login(ADMIN.email, ADMIN.password);
    await after.service.sql('UPDATE mfa_factors SET last_step = NULL');
    expect(
      (await after.anonymous.post('/auth/mfa/verify').send({ mfaToken: body.mfaToken, code: totp(TOTP_SECRET) }))
        .status,
    ).toBe(200);
    expect((await after.anonymous.post('/auth/refresh').send({ refreshToken })).body.refreshToken).toBe(successor);
    expect(
      (await after.anonymous.post('/sso/link/confirm').set('cookie', parkedCookie).send({ password: PASSWORD })).status,
    ).toBe(200);
    oidc.identity = { sub: newId(), email: `new-${newId()}@corp.example`, email_verified: true, name: 'New' };
    expect(landing(await after.signIn(tenant))).toContain('#ssoCode=');
    await after.stop();
  });

  it('stops a replica from starting that could not sign access tokens, and names the key (R-44)', async () => {
    await expect(replica(key(3))).rejects.toThrow(/its key \w+ is not among SECRET_ENCRYPTION_KEYS/);
    const rolling = await replica(`k3:${key(3)},k2:${key(2)}`);
    const slice = await rolling.service
      .asService('operator')
      .post('/internal/operator/sealed-secrets/reseal')
      .send({ column: 'signing_keys.private_sealed', fromBlock: 0 });
    expect(slice.body).toEqual({ resealed: 2, unreadable: 0, next: null });
    await rolling.stop();
  });

  it('counts what no key of the ring opens, and leaves it as it is', async () => {
    const careless = await replica(key(3));
    const report = await reportOf(careless);
    expect(report.counts.filter(({ column }) => column === 'mfa_factors.secret_sealed')).toEqual([
      { column: 'mfa_factors.secret_sealed', keyId: expect.any(String), count: 1, known: false },
    ]);
    const slice = await careless.service
      .asService('operator')
      .post('/internal/operator/sealed-secrets/reseal')
      .send({ column: 'mfa_factors.secret_sealed', fromBlock: 0 });
    expect(slice.body).toEqual({ resealed: 0, unreadable: 1, next: null });
    expect((await reportOf(careless)).counts).toEqual(report.counts);
    await careless.stop();
  });

  it('made too early is told as what it is: the provider’s sign-in ends with a code, a second factor with 503, neither with garbage', async () => {
    const careless = await replica(key(3));
    oidc.identity = { sub: newId(), email: `early-${newId()}@corp.example`, email_verified: true, name: 'Early' };
    expect(errorIn(await careless.signIn(tenant))).toBe('sso_error');
    const { body } = await careless.identity.login(ADMIN.email, ADMIN.password);
    const answer = await careless.anonymous.post('/auth/mfa/verify').send({ mfaToken: body.mfaToken, code: '000000' });
    expect(answer.body).toMatchObject({ status: 503, code: 'unavailable', detail: expect.stringContaining('key') });
    await careless.stop();
  });

  it('is asked for by services only, and for columns that exist', async () => {
    expect((await before.service.bare().get('/internal/operator/sealed-secrets')).status).toBe(401);
    expect((await before.service.as(tenant.admin).get('/internal/operator/sealed-secrets')).status).toBe(404);
    const unknown = await before.service
      .asService('operator')
      .post('/internal/operator/sealed-secrets/reseal')
      .send({ column: 'users.email', fromBlock: 0 });
    expect(unknown.status).toBe(400);
  });

  // Without a way out, mail waits in its table.
  const WAITING = { MAIL_DIR: '' };
  const replica = (keys: string): Promise<SsoHarness> =>
    SsoHarness.start(
      [oidc.issuer, saml.ssoUrl],
      { SECRET_ENCRYPTION_KEYS: keys, ...WAITING },
      { replicaOf: before.service },
    );
  const reportOf = async (sso: SsoHarness): Promise<Report> =>
    (await sso.service.asService('operator').get('/internal/operator/sealed-secrets')).body as Report;

  async function parkLink(): Promise<string> {
    const email = `owner-${newId()}@corp.example`;
    await before.user({ email, partnerId: tenant.partnerId, orgId: tenant.orgId, password: PASSWORD });
    oidc.identity = { sub: newId(), email, email_verified: true, name: 'Owner' };
    const answer = await before.signIn(tenant);
    expect(errorIn(answer)).toBe('link_required');
    return /svc_sso_link=[\w-]{43}/.exec(String(answer.headers['set-cookie']))?.[0] ?? '';
  }

  async function beginSaml(): Promise<void> {
    samlTenant = await before.tenant();
    await before.service.sql(
      `INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at, last_checked_at)
        VALUES ($1, $2, $3, 'acme.example', 'x', now(), now())`,
      [newId(), samlTenant.partnerId, samlTenant.orgId],
    );
    const { body } = await before.service
      .as(samlTenant.admin)
      .post('/sso/providers')
      .send({
        orgId: samlTenant.orgId,
        name: 'SAML IdP',
        type: 'saml',
        entityId: saml.entityId,
        ssoUrl: saml.ssoUrl,
        certificate: saml.certificates.join('\n'),
        defaultRoleId: '00000000-0000-7000-8000-000000000005',
      });
    await before.service.as(samlTenant.admin).post(`/sso/providers/${body.data.id}/status`).send({ status: 'active' });
    await before.service.as(samlTenant.admin).post(`/sso/providers/${body.data.id}/encryption-key`);
    samlTrip = await before.begin(`/sso/saml/login/${samlTenant.orgId}`);
    const back = await samlSignInAs(SAML_EMAIL, samlTrip.url);
    samlHandle = landing(
      await before.anonymous.post('/sso/saml/acs').type('form').send(Object.fromEntries(back.form)),
    ).replace('/api/v1', '');
  }

  async function refreshOnce(): Promise<void> {
    const { body } = await before.identity.login(ADMIN.email, ADMIN.password);
    const signedIn = await before.anonymous
      .post('/auth/mfa/verify')
      .send({ mfaToken: body.mfaToken, code: totp(TOTP_SECRET) });
    refreshToken = signedIn.body.refreshToken as string;
    successor = (await before.anonymous.post('/auth/refresh').send({ refreshToken })).body.refreshToken as string;
  }
});

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const PASSWORD = 'a passphrase that proves the account';
const SAML_EMAIL = 'ada@acme.example';

interface Report {
  readonly primary: string;
  readonly columns: string[];
  readonly counts: { column: string; keyId: string; count: number; known: boolean }[];
}
