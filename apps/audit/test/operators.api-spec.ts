import { IDENTITY_HEADER, InternalIdentitySigner } from '@gatehouse/auth';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, TestService } from '@gatehouse/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { auditService } from '../src/service.ts';

const ADA = { name: 'ada@example.com', ticket: 'OPS-7' };

describe("an operator's key", () => {
  let audit: TestService;
  let key: CryptoKey;
  let privateJwk: string;
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    key = pair.privateKey;
    privateJwk = JSON.stringify({ ...(await exportJWK(pair.privateKey)), kid: 'ada' });
    const open = { ...(await exportJWK(pair.publicKey)), kid: 'ada', alg: 'ES256' };
    audit = await TestService.start(auditService, { env: { OPERATOR_JWKS: JSON.stringify({ keys: [open] }) } });
  });
  afterAll(() => audit.stop());

  it('R-95: opens the routes for operators, and the audit log names the person and the ticket', async () => {
    const signer = await InternalIdentitySigner.parse(privateJwk, 'operator');
    const identity = { principal: null, ip: null, service: 'operator', operator: ADA };
    expect(await call(await signer.tokenFor('audit', identity, 'operator'))).toEqual([200, undefined]);
    expect(await audit.audits('checkpoint_key.rotate')).toMatchObject([
      { actor: { type: 'system', name: ADA.name, label: 'operator' }, details: { ticket: ADA.ticket } },
    ]);
  });

  it("ATK-210: opens no other route, whatever principal the token claims, and not in the gateway's name", async () => {
    const claims = { operator: ADA, principal: aPartnerAdmin(newId()), service: 'gateway' };
    expect(await call(await token(claims), '/audit-logs', 'GET')).toEqual([401, 'token_invalid']);
    const asGateway = { issuer: 'gatehouse-gateway', typ: 'gatehouse-internal+jwt' };
    expect(await call(await token(claims, asGateway), '/audit-logs', 'GET')).toEqual([401, 'token_invalid']);
    expect(await call(await token(claims, asGateway))).toEqual([401, 'token_invalid']);
  });

  it("ATK-211: takes the place of the gateway's, which opens them no longer", async () => {
    const { status, body } = await audit.asService('operator').post(ROTATE);
    expect([status, body.code]).toEqual([401, 'token_invalid']);
  });

  it.each([
    ['names no person', { operator: { ...ADA, name: '' } }, {}],
    ['names a person by letters that show nothing', { operator: { ...ADA, name: 'a\u200bda' } }, {}],
    ['names no operator', {}, {}],
    ['has a ticket that is no text', { operator: { ...ADA, ticket: 7 } }, {}],
    ['is for another service', { operator: ADA }, { audience: 'identity' }],
  ])('ATK-212: a token that %s is refused', async (_, claims, terms) => {
    expect(await call(await token(claims as JWTPayload, terms))).toEqual([401, 'token_invalid']);
  });

  it('ATK-212: a token lives for a minute, and the difference of two clocks', async () => {
    expect((await call(await token({ operator: ADA }, { age: 125 })))[0]).not.toBe(200);
    expect(await call(await token({ operator: ADA }, { age: 30 }))).toEqual([200, undefined]);
  });

  /** The status and code of a call with this token, and nothing else to show. */
  async function call(token: string, path = ROTATE, method = 'POST'): Promise<unknown[]> {
    const headers = { [IDENTITY_HEADER]: token };
    const response = await fetch(`${audit.url}/api/v1${path}`, { method, headers });
    return [response.status, ((await response.json()) as { code?: string }).code];
  }

  const token = (
    claims: JWTPayload = { operator: ADA },
    { audience = 'audit', issuer = 'gatehouse-operator', typ = 'gatehouse-operator+jwt', age = 0 } = {},
  ): Promise<string> => {
    const now = Math.floor(Date.now() / 1000) - age;
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ, kid: 'ada' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + 60)
      .sign(key);
  };
});

describe('where operators have no key of their own', () => {
  let audit: TestService;
  beforeAll(async () => {
    audit = await TestService.start(auditService);
  });
  afterAll(() => audit.stop());

  it("R-96: the gateway's key opens their routes to an operator, and to no service", async () => {
    expect((await audit.asService('operator').post(ROTATE)).status).toBe(200);
    expect((await audit.asService('gateway').post(ROTATE)).status).toBe(403);
    expect(await audit.audits('checkpoint_key.rotate')).toMatchObject([
      { actor: { type: 'system', id: null, name: 'operator' } },
    ]);
  });
});

const ROTATE = '/internal/checkpoint-keys/rotate';
