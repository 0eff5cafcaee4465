import { verifyExport } from '@gatehouse/audit-verify';
import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, TestService } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { SignCheckpoints } from '../src/checkpoints/sign-checkpoints.ts';
import { auditService } from '../src/service.ts';
import { aRecord, AuditHarness } from './audit.harness.ts';

const audit = await AuditHarness.start();
afterAll(() => audit.stop());

describe('a change of the key that signs checkpoints', () => {
  it('leaves what the former key signed verifiable, online and offline', async () => {
    await sign();
    const { body } = await audit.service.asService('operator').post('/internal/checkpoint-keys/rotate');
    await sign();
    const list = await checkpoints();
    const [first, second] = list.data.map(({ jws }) => decodeProtectedHeader(jws).kid);
    expect(second).toBe(body.kid);
    expect(first).not.toBe(second);
    expect((await audit.service.as(aPartnerAdmin(partner)).get('/audit-logs/verify')).body).toMatchObject({
      valid: true,
      length: 2,
    });
    expect(await verifyExport(await exported(), list)).toEqual([
      expect.objectContaining({ firstBadSequence: null, coveredTo: 2 }),
    ]);
    const withoutFormer = { keys: list.jwks.keys.filter(({ kid }) => kid === second) };
    expect(await verifyExport(await exported(), list, withoutFormer)).toEqual([
      expect.objectContaining({ firstBadSequence: 1 }),
    ]);
    expect(await audit.service.audits('checkpoint_key.rotate')).toHaveLength(1);
  });

  it('is taken up by another replica with its next round', async () => {
    const replica = await TestService.start(auditService, { natsUrl: audit.broker.url, replicaOf: audit.service });
    const { body } = await audit.service.asService('operator').post('/internal/checkpoint-keys/rotate');
    await audit.record(aRecord({ partnerId: partner }));
    await replica.service.app.get(SignCheckpoints).sign();
    expect(decodeProtectedHeader((await checkpoints()).data.at(-1)?.jws ?? '').kid).toBe(body.kid);
    await replica.stop();
  });

  const sign = async (): Promise<void> => {
    await audit.record(aRecord({ partnerId: partner }));
    await audit.service.service.app.get(SignCheckpoints).sign();
  };
  const checkpoints = async (): Promise<CheckpointList> =>
    (await audit.service.as(aPartnerAdmin(partner)).get('/audit-logs/checkpoints')).body as CheckpointList;
  const exported = async (): Promise<string[]> =>
    (
      await audit.service
        .as(aPartnerAdmin(partner))
        .get('/audit-logs/export?format=jsonl')
        .buffer(true)
        .parse((response, done) => {
          let text = '';
          response.on('data', (chunk: Buffer) => (text += chunk.toString()));
          response.on('end', () => done(null, text));
        })
    ).body.split('\n') as string[];
});

const partner = newId();

type CheckpointList = Parameters<typeof verifyExport>[1];
