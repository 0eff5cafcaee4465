import { newId } from '@gatehouse/crypto';
import { aPartnerAdmin, aSystemAdmin, TestService, until } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { connect } from 'nats';
import { checkpointSigned } from '../src/checkpoints/published-checkpoints.ts';
import { SignCheckpoints } from '../src/checkpoints/sign-checkpoints.ts';
import { auditService } from '../src/service.ts';
import { aRecord, AuditHarness } from './audit.harness.ts';

const audit = await AuditHarness.start();
afterAll(() => audit.stop());

describe('the published checkpoints', () => {
  it('ATK-27b: show the newest entries that were cut off with their checkpoints, also when the log goes on, and at a start', async () => {
    const chain = await aChain();
    expect(await verdict(chain)).toEqual({ valid: true, chain, length: 10, head: expect.any(String) });
    await cutAfter(chain, 7);
    expect(await verdict(chain)).toMatchObject({ valid: false, length: 7, firstBadSequence: 8 });

    await append(chain, 5);
    await sign();
    expect(await verdict(chain)).toMatchObject({ valid: false, length: 12, firstBadSequence: 10 });
    expect(
      await audit.service.sql('SELECT max(length)::int AS length FROM checkpoints WHERE chain = $1', [chain]),
    ).toEqual([{ length: 7 }]);
    expect(await publishedLength(chain)).toBe(10);

    const restarted = await TestService.start(auditService, { natsUrl: audit.broker.url, replicaOf: audit.service });
    const counted = (text: string): boolean =>
      /verifications_total{result="invalid".*} 1/.test(text) && /contradicted_chains{.*} 1/.test(text);
    await until(async () => counted(await restarted.service.platform.metrics.text()));
    await restarted.stop();
  });

  it('ATK-27c: show a chain that was removed as a whole', async () => {
    const chain = await aChain();
    await audit.tamper(
      ['audit_entries', 'checkpoints', 'chains']
        .map((table) => `DELETE FROM ${table} WHERE chain = '${chain}'`)
        .join(';'),
    );
    expect((await audit.service.as(aSystemAdmin()).get(`/audit-logs/verify?chain=${chain}`)).body).toMatchObject({
      valid: false,
      length: 0,
      firstBadSequence: 1,
    });
    expect((await audit.service.as(aSystemAdmin()).get('/audit-logs/verify?chain=*')).status).toBe(404);
  });

  it('ATK-27d: count only with a genuine signature, and those of all chains under the former subject disturb nothing', async () => {
    const chain = await aChain();
    await publish('checkpoint.chain.signed.v1', {
      data: { chain, length: 99, head: '0'.repeat(64), signedAt: '', jws: '' },
    });
    expect(await verdict(chain)).toMatchObject({ valid: true, length: 10 });
    const [{ hash } = { hash: '' }] = await audit.service.sql<{ hash: string }>(
      'SELECT hash FROM audit_entries WHERE chain = $1 AND sequence = 5',
      [chain],
    );
    await publish(checkpointSigned(chain).subject, {
      data: { chain, length: 5, head: hash, signedAt: new Date().toISOString(), jws: 'forged' },
    });
    expect(await verdict(chain)).toMatchObject({ valid: false, firstBadSequence: 5 });
    await append(chain, 1);
    await sign();
    expect(await verdict(chain)).toMatchObject({ valid: false, firstBadSequence: 5 });
  });

  it('are no false alarm while the chain grows', async () => {
    const chain = await aChain();
    const verdicts: object[] = [];
    const growing = (async () => {
      for (let round = 0; round < 10; round++) {
        await append(chain, 2);
        await sign();
      }
    })();
    const verifying = (async () => {
      while (verdicts.length < 30) verdicts.push(await verdict(chain));
    })();
    await Promise.all([growing, verifying]);
    expect(verdicts.filter((found) => !('valid' in found && found.valid))).toEqual([]);
  });

  it('ATK-27e: are said to be out of reach while the broker is away, and nothing is signed without them', async () => {
    const chain = await aChain();
    await append(chain, 1);
    await audit.broker.kill();
    await until(() => !audit.service.service.platform.bus.isConnected);
    expect(await verdict(chain)).toMatchObject({ valid: true, length: 11, publishedCheckpoint: 'unreachable' });
    await expect(sign()).rejects.toThrow('not connected');
    const restarted = await TestService.start(auditService, { natsUrl: audit.broker.url, replicaOf: audit.service });
    await restarted.stop();
    await cutAfter(chain, 8, 10);
    expect(await verdict(chain)).toMatchObject({ length: 8, firstBadSequence: 9, publishedCheckpoint: 'unreachable' });

    await audit.broker.start();
    await audit.service.service.platform.bus.whenReady();
    await cutAfter(chain, 7);
    expect(await verdict(chain)).toEqual({
      valid: false,
      chain,
      length: 7,
      head: expect.any(String),
      firstBadSequence: 8,
    });
  });

  const sign = (): Promise<void> => audit.service.service.app.get(SignCheckpoints).sign();
  const verdict = async (chain: string): Promise<object> =>
    (await audit.service.as(aPartnerAdmin(chain)).get('/audit-logs/verify')).body as object;
  const publishedLength = async (chain: string): Promise<number> => {
    const text = await audit.service.service.platform.bus.readBack(checkpointSigned(chain).subject);
    return text === null ? 0 : (JSON.parse(text) as { data: { length: number } }).data.length;
  };
  const append = (chain: string, count: number): Promise<void> =>
    audit.record(...Array.from({ length: count }, () => aRecord({ partnerId: chain })));

  /** A chain of ten entries with published checkpoints at seven and ten. */
  async function aChain(): Promise<string> {
    const chain = newId();
    for (const [count, length] of [
      [7, 7],
      [3, 10],
    ] as const) {
      await append(chain, count);
      await sign();
      await until(async () => (await publishedLength(chain)) === length);
    }
    return chain;
  }

  /** What a superuser does who also removes the checkpoints, or leaves some, and puts the counts right. */
  const cutAfter = (chain: string, length: number, vouched = length): Promise<void> =>
    audit.tamper(`
    DELETE FROM audit_entries WHERE chain = '${chain}' AND sequence > ${length};
    DELETE FROM checkpoints WHERE chain = '${chain}' AND length > ${vouched};
    UPDATE chains SET length = ${length}, checkpointed_length = ${length},
      head = (SELECT hash FROM audit_entries WHERE chain = '${chain}' AND sequence = ${length})
        WHERE chain = '${chain}'`);

  const publish = async (subject: string, body: object): Promise<void> => {
    const { host, username, password } = new URL(audit.broker.url);
    const admin = await connect({ servers: host, user: username, pass: password });
    await admin.jetstream().publish(subject, JSON.stringify(body));
    await admin.close();
  };
});
