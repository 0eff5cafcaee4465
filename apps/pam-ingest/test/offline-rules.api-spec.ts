import {
  OFFLINE_RULES_SECONDS,
  type OfflineRulesQuestion,
  SIGN_OFFLINE_RULES,
  SigningKeysDropped,
} from '@gatehouse/contracts-identity';
import { EventBus } from '@gatehouse/messaging';
import { startTestBroker, type TestBroker } from '@gatehouse/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aDevice, aRule, type Ingest, startIngest, type TestDevice } from './pam-ingest.harness.ts';

describe('PAM-97 the rules for the time an agent is offline', () => {
  let broker: TestBroker;
  let ingest: Ingest;
  let identity: EventBus;
  let device: TestDevice;
  let asked: OfflineRulesQuestion[] = [];
  let signs = true;

  beforeAll(async () => {
    broker = await startTestBroker();
    ingest = await startIngest({ natsUrl: broker.url });
    const { log, bus } = ingest.service.platform;
    identity = new EventBus({ url: broker.urlOf('identity'), name: 'identity', log });
    identity.reply<OfflineRulesQuestion>(SIGN_OFFLINE_RULES, async (question) => {
      if (!signs) throw new Error('no keys');
      asked.push(question);
      const expiresAt = new Date(Date.now() + OFFLINE_RULES_SECONDS * 1000).toISOString();
      return { jws: `signed.${asked.length}.${question.deviceId}`, expiresAt };
    });
    identity.start();
    await Promise.all([identity.whenReady(), bus.whenReady()]);
  });
  afterAll(async () => {
    await identity.close();
    await ingest.stop();
    await broker.stop();
  });
  beforeEach(async () => {
    asked = [];
    signs = true;
    device = await aDevice(ingest);
  });

  it('PAM-97 stand in their order; grants and ignores ask, so that a denial behind them stays behind', async () => {
    const { orgId, partnerId, siteId } = device;
    const ids = [
      await aRule(ingest, device, { priority: 1, match_signer: 'Acme', match_negate: ['signer'] }),
      await aRule(ingest, device, {
        priority: 2,
        verdict: 'ignore',
        match_path_glob: 'C:\\Tools\\**',
        site_id: siteId,
      }),
      await aRule(ingest, device, { priority: 3, verdict: 'auto_deny', match_path_glob: '**', expires_at: UNTIL }),
    ];
    await aRule(ingest, device, { verdict: 'auto_deny', match_tool_name: 'shell' });
    await aRule(ingest, device, { verdict: 'auto_deny', match_user: 'ann', site_id: orgId });
    await aRule(ingest, device, { verdict: 'auto_deny', match_user: 'ann', enabled: false });
    await aRule(ingest, device, { verdict: 'auto_deny', match_user: 'ann', mode: 'shadow' });
    const [policy] = await ingest.sql<{ id: string }>(
      `INSERT INTO software_policies (id, partner_id, org_id, name, mode, target_level, target_id, rules)
       VALUES (gen_random_uuid(), $1, $2, 'Games', 'blocklist', 'organization', $2, $3) RETURNING id`,
      [partnerId, orgId, JSON.stringify([{ name: 'x', publisher: 'Games Inc', signer: null }])],
    );
    const { status, body } = await fetch();
    expect([status, body.rulebookVersion]).toEqual([200, 8]);
    expect(body).toEqual({
      jws: `signed.1.${device.id}`,
      rulebookVersion: 8,
      expiresAt: expect.any(String),
      validForSeconds: expect.any(Number),
    });
    expect(body.validForSeconds).toBeGreaterThan(OFFLINE_RULES_SECONDS - 60);
    expect(asked).toEqual([
      {
        deviceId: device.id,
        ruleSet: {
          orgId,
          siteId,
          rulebookVersion: 8,
          floor: [],
          rules: [
            { policyId: policy?.id, verdict: 'deny', software: [{ publisher: 'Games Inc' }] },
            { ruleId: ids[0], verdict: 'ask', where: { signer: 'Acme' }, not: ['signer'] },
            { ruleId: ids[1], verdict: 'ask', where: { pathGlob: 'C:\\Tools\\**' } },
            { ruleId: ids[2], verdict: 'deny', where: { pathGlob: '**' }, expiresAt: UNTIL },
          ],
          otherwise: 'ask',
          complete: true,
        },
      },
    ]);
  });

  it('PAM-98 are signed once for a device and version, and again when half their time is over', async () => {
    const first = (await fetch()).body;
    expect((await fetch()).body.jws).toBe(first.jws);
    await aRule(ingest, device, { verdict: 'auto_deny', match_user: 'ann' });
    const second = (await fetch()).body;
    expect([second.jws, second.rulebookVersion]).toEqual([`signed.2.${device.id}`, 2]);
    const performanceNow = performance.now.bind(performance);
    performance.now = () => performanceNow() + HALF_MS + 60_000;
    const third = (await fetch()).body;
    performance.now = performanceNow;
    expect(third.jws).toBe(`signed.3.${device.id}`);
  });

  it('PAM-98 are signed again when the keys were dropped', async () => {
    await fetch();
    await identity.publish([dropped()]);
    for (let tries = 0; asked.length === 1 && tries < 40; tries++) await fetch();
    expect(asked.length).toBeGreaterThan(1);
  });

  it('PAM-98 are never given away unsigned', async () => {
    signs = false;
    const { status, body, headers } = await fetch();
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('rules"');
  });

  it('PAM-97 belong to their device, while it may report', async () => {
    const neighbour = await aDevice(ingest, { partnerId: device.partnerId, orgId: device.orgId });
    expect((await fetch(device, neighbour.id)).body.code).toBe('device_mismatch');
    const archived = await aDevice(ingest, { orgStatus: 'archived' });
    expect((await fetch(archived)).body.code).toBe('organization_archived');
    const merging = await aDevice(ingest, { orgStatus: 'merging' });
    expect((await fetch(merging)).body.code).toBe('organization_frozen');
    expect((await ingest.asAgent('gha_wrong').get(`/agents/${device.id}/rules`)).status).toBe(401);
    expect(asked).toEqual([]);
  });

  const dropped = () => {
    const envelope = {
      id: crypto.randomUUID(),
      subject: SigningKeysDropped.subject,
      occurredAt: new Date().toISOString(),
      source: 'identity',
      aggregateId: 'signing_keys',
      actor: { type: 'system', id: null, name: 'identity' },
      traceparent: null,
      data: { kids: ['old'] },
    };
    return { id: envelope.id, subject: envelope.subject, json: JSON.stringify(envelope) };
  };

  const fetch = (of = device, path = of.id) => ingest.asAgent(of.token).get(`/agents/${path}/rules`);
});

const UNTIL = '2100-01-01T00:00:00.000Z';
const HALF_MS = (OFFLINE_RULES_SECONDS / 2) * 1000;
