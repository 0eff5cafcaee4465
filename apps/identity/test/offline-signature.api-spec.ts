import {
  MAX_OFFLINE_RULES_BYTES,
  OFFLINE_RULES_SECONDS,
  OFFLINE_RULES_TYPE,
  type OfflineRuleSet,
  SIGN_OFFLINE_RULES,
  type SignedOfflineRules,
} from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { EventBus } from '@gatehouse/messaging';
import { startTestBroker } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { IdentityHarness } from './identity.harness.ts';

const broker = await startTestBroker();
const identity = await IdentityHarness.start({}, { natsUrl: broker.url });
const { log, bus } = identity.service.service.platform;
const pamIngest = new EventBus({ url: broker.urlOf('pam-ingest'), name: 'pam-ingest', log });
pamIngest.start();
await Promise.all([pamIngest.whenReady(), bus.whenReady()]);
afterAll(async () => {
  await pamIngest.close();
  await identity.stop();
  await broker.stop();
});

describe('the signature of offline rules', () => {
  it('PAM-98 is made with a published key, for one device and one day', async () => {
    const deviceId = newId();
    const { jws, expiresAt } = await ask(deviceId, RULES);
    const keys = (await identity.service.asService('gateway').get('/.well-known/jwks.json')).body as JSONWebKeySet;
    const { payload } = await jwtVerify(jws, createLocalJWKSet(keys), {
      typ: OFFLINE_RULES_TYPE,
      audience: deviceId,
      issuer: 'gatehouse',
    });
    expect(payload).toMatchObject(RULES);
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(OFFLINE_RULES_SECONDS);
    expect(Date.parse(expiresAt)).toBe((payload.exp ?? 0) * 1000);
  });

  it('PAM-98 covers nothing but the rules of a device', async () => {
    const claims = { ...RULES, sub: newId(), sid: newId(), aud: 'gatehouse-api', exp: 4_000_000_000, typ: 'at+jwt' };
    const { jws } = await ask(newId(), claims);
    const [header = '', payload = ''] = jws.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header)).toMatchObject({ typ: OFFLINE_RULES_TYPE });
    expect(Object.keys(JSON.parse(payload) as object).sort()).toEqual([
      'aud',
      'complete',
      'exp',
      'floor',
      'iat',
      'iss',
      'orgId',
      'otherwise',
      'rulebookVersion',
      'rules',
      'siteId',
    ]);
    const large = { ...RULES, rules: [{ text: 'x'.repeat(MAX_OFFLINE_RULES_BYTES) }] };
    await expect(ask('gatehouse-api', RULES, 500)).rejects.toThrow();
    await expect(ask(newId(), large, 500)).rejects.toThrow();
  });

  const RULES: OfflineRuleSet = {
    orgId: newId(),
    siteId: newId(),
    rulebookVersion: 4,
    floor: [],
    rules: [{ ruleId: newId(), verdict: 'deny', where: { user: 'ann' } }],
    otherwise: 'ask',
    complete: true,
  };
  const ask = (deviceId: string, ruleSet: OfflineRuleSet, timeoutMs = 5_000) =>
    pamIngest.request<SignedOfflineRules>(SIGN_OFFLINE_RULES, { deviceId, ruleSet }, { timeoutMs });
});
