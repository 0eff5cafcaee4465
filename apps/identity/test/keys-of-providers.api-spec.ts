import type { Principal } from '@gatehouse/contracts-core';
import { type IntrospectionResponse, PrincipalsChanged } from '@gatehouse/contracts-identity';
import { newId, sha256Hex } from '@gatehouse/crypto';
import type { Client } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { besideAnIdp, codeIn, type ScriptedIdp, type SsoHarness, type Tenant } from './sso.harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let idp: ScriptedIdp;
let sso: SsoHarness;
let tenant: Tenant;
besideAnIdp((made) => ({ idp, sso, tenant } = made));

/** A person whom the provider signs in, with a second factor. */
async function signedIn(): Promise<Principal> {
  const email = `keys-${newId()}@corp.example`;
  idp.identity = { sub: newId(), email, email_verified: true, name: 'Key Maker' };
  const { body } = await sso.exchange(codeIn(await sso.signIn(tenant)));
  return { ...(await sso.identity.principalOf(body.accessToken)), mfa: true };
}
const keyOf = async (person: Principal, more: object = {}): Promise<{ id: string; key: string; expiresAt: string }> => {
  const { body } = await sso.service
    .as(person)
    .post('/api-keys')
    .send({ name: 'Reports', permissions: ['devices:read'], ...more });
  return body.data;
};
const isAlive = async ({ key }: { key: string }): Promise<boolean> => {
  const asked = sso.service.asService('gateway').post('/internal/introspect');
  return ((await asked.send({ apiKeyHash: sha256Hex(key) })).body as IntrospectionResponse).active;
};
const admin = (): Client => sso.service.as(tenant.admin);
const setStatus = (id: string, status: string) =>
  admin().post(`/sso/providers/${id}/status?force=true`).send({ status });
const dropped = async (): Promise<string[]> =>
  (await sso.service.emitted(PrincipalsChanged)).flatMap(({ data }) => data.apiKeyIds);

describe('API keys that a session of an identity provider makes', () => {
  it('IDY-130 live 365 days by default and at most', async () => {
    const providerId = await sso.provider(tenant, idp);
    const person = await signedIn();
    const key = await keyOf(person);
    expect(Date.parse(key.expiresAt) - Date.now()).toBeGreaterThan(364 * DAY_MS);
    expect(Date.parse(key.expiresAt) - Date.now()).toBeLessThan(366 * DAY_MS);
    const client = sso.service.as(person);
    const late = new Date(Date.now() + 400 * DAY_MS).toISOString();
    expect(
      (await client.post('/api-keys').send({ name: 'Long', permissions: ['devices:read'], expiresAt: late })).body,
    ).toMatchObject({ status: 400, code: 'validation_failed', issues: [{ path: 'expiresAt' }] });
    const soon = new Date(Date.now() + DAY_MS).toISOString();
    expect((await keyOf(person, { expiresAt: soon })).expiresAt).toBe(soon);
    expect((await client.get('/api-keys')).body.data[0]).toMatchObject({ providerId, suspended: false });
    expect((await sso.service.audits('api_key.create')).at(-1)?.details).toMatchObject({
      changes: { providerId: { before: null, after: providerId } },
    });
  });

  it('IDY-131 stop while the provider is not active, and work again with it', async () => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    const key = await keyOf(person);
    expect(await isAlive(key)).toBe(true);
    await setStatus(id, 'inactive');
    expect(await isAlive(key)).toBe(false);
    expect(await dropped()).toContain(key.id);
    expect((await admin().get('/api-keys')).body.data).toMatchObject([{ id: key.id, suspended: true }]);
    await setStatus(id, 'active');
    expect(await isAlive(key)).toBe(true);
  });

  it('IDY-131 end with the provider, with the link and with the membership, and not before', async () => {
    const id = await sso.provider(tenant, idp);
    const [linked, member] = [await signedIn(), await signedIn()];
    const [first, second, third] = [await keyOf(linked), await keyOf(member), await keyOf(await signedIn())];
    await sso.service.as(linked).delete(`/sso/link/${id}`);
    expect(await Promise.all([first, second, third].map(isAlive))).toEqual([false, true, true]);
    expect(await dropped()).toContain(first.id);
    await admin().delete(`/users/${member.userId}`);
    expect(await Promise.all([second, third].map(isAlive))).toEqual([false, true]);
    await admin().delete(`/sso/providers/${id}`);
    expect(await isAlive(third)).toBe(false);
    expect(await dropped()).toContain(third.id);
    const ids = [first.id, second.id, third.id];
    expect(await sso.service.sql('SELECT FROM api_keys WHERE id = ANY ($1::uuid[])', [ids])).toHaveLength(0);
  });

  it('IDY-131 end for a break-glass person whom the provider may not sign in', async () => {
    await sso.provider(tenant, idp);
    const person = await signedIn();
    const key = await keyOf(person);
    await sso.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [person.userId]);
    expect(await isAlive(key)).toBe(false);
  });
});

describe('linking in a session of an identity provider', () => {
  const enrolled = (userId: string, at: string, byProvider: boolean) =>
    sso.service.sql(
      `INSERT INTO mfa_factors (id, user_id, kind, name, secret_sealed, confirmed_at, by_provider)
       VALUES ($1, $2, 'totp', 'App', 'x', ${at}, $3)`,
      [newId(), userId, byProvider],
    );
  const begin = async (person: Principal, id: string): Promise<number> =>
    (await sso.service.as(person).post(`/sso/link/start/${id}`)).status;

  it.each([
    ['none of the own', 403, null, false],
    ['one that the session itself enrolled', 403, 'now()', true],
    ['one that is older than the session', 200, "now() - interval '1 day'", true],
    ['one that no provider’s session enrolled', 200, 'now()', false],
  ])('IDY-135 with a second factor, %s, answers %s', async (_, status, at, byProvider) => {
    const id = await sso.provider(tenant, idp);
    const person = await signedIn();
    if (at !== null) await enrolled(person.userId, at, byProvider);
    expect(await begin(person, id)).toBe(status);
  });
});
