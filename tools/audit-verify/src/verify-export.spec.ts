import { describe, expect, it } from '@jest/globals';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Entry } from './chain-walk.ts';
import { canonicalJson } from './chain-walk.ts';
import { type CheckpointFile, isSigned } from './chain-walk.ts';
import { verifyExport } from './verify-export.ts';

describe('an export', () => {
  it('that is whole is valid, and vouched for by its checkpoints', async () => {
    expect(await verdict(entries)).toMatchObject({
      length: entries.length,
      coveredTo: entries.length,
      firstBadSequence: null,
    });
  });

  it.each([
    ['action', { action: 'user.login' }],
    ['details', { details: {} }],
    ['actor', { actor: { type: 'system', id: null, name: null } }],
    ['hash', { hash: '1'.repeat(64) }],
  ])('names the first entry whose %s was altered', async (_, change) => {
    expect(await verdict(alter(5, change))).toMatchObject({ firstBadSequence: 5 });
  });

  it('names the entry after one that was altered and hashed anew', async () => {
    const { hash: _, ...forged } = { ...entries[4], details: {} } as Entry;
    const hash = createHash('sha256').update(canonicalJson(forged)).digest('hex');
    expect(await verdict(alter(5, { ...forged, hash }))).toMatchObject({ firstBadSequence: 6 });
  });

  it('names the entry that was taken out, and the first of those cut off its end', async () => {
    expect(await verdict(entries.filter(({ sequence }) => sequence !== 4))).toMatchObject({ firstBadSequence: 4 });
    expect(await verdict(entries.slice(0, -2))).toMatchObject({
      firstBadSequence: entries.length - 1,
      reason: expect.stringContaining('missing'),
    });
    expect(await verdict([])).toMatchObject({ firstBadSequence: 1 });
  });

  it.each([
    ['is no entry', ['{}'], {}],
    ['is no entry', ['null'], {}],
    ['is no answer', [], { file: {} }],
    ['is no answer', [], { file: null }],
    ['is no JSON Web Key Set', [], { trusted: [] }],
  ])('is not verified where a file %s: %j, %j', async (reason, lines, files: object) => {
    const { file, trusted } = { file: checkpoints, trusted: undefined, ...files };
    await expect(verifyExport(lines, file, trusted)).rejects.toThrow(reason);
  });

  it('ATK-27a: shows entries that were cut off together with their checkpoints by a file of checkpoints that was kept before', async () => {
    const last = checkpoints.data.at(-1);
    const kept = entries.slice(0, checkpoints.data.at(-2)?.length ?? 0);
    const cut = { ...checkpoints, data: checkpoints.data.slice(0, -1) };
    const lines = kept.map((entry) => JSON.stringify(entry));
    expect(await verifyExport(lines, cut)).toEqual(
      kept.length > 0 ? [expect.objectContaining({ firstBadSequence: null })] : [],
    );
    expect(await verifyExport(lines, cut, undefined, [checkpoints])).toMatchObject([
      { chain: last?.chain, firstBadSequence: kept.length + 1, reason: expect.stringContaining('missing') },
    ]);
    expect(
      await verifyExport(
        entries.map((entry) => JSON.stringify(entry)),
        checkpoints,
        undefined,
        [cut],
      ),
    ).toMatchObject([{ coveredTo: entries.length, firstBadSequence: null }]);
  });

  it.each([
    ['gatehouse-checkpoint+jws', true],
    ['at+jwt', false],
    [undefined, false],
  ])('takes for a checkpoint only what is signed as one: %s', (typ, counts) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const [{ jws: _, ...statement } = { jws: '' }] = checkpoints.data;
    const part = (text: string) => Buffer.from(text).toString('base64url');
    const signed = `${part(JSON.stringify({ alg: 'EdDSA', kid: 'k', typ }))}.${part(canonicalJson(statement))}`;
    const jws = `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
    expect(isSigned({ ...statement, jws } as CheckpointFile['data'][0], new Map([['k', publicKey]]))).toBe(counts);
  });

  it('does not get by with a checkpoint that another key signed', async () => {
    const [first, ...rest] = checkpoints.data;
    if (!first) throw new Error('the sample has no checkpoint');
    const forged = { ...checkpoints, data: [{ ...first, head: '2'.repeat(64) }, ...rest] };
    expect(await verdict(entries, forged)).toMatchObject({
      firstBadSequence: first.length,
      reason: expect.stringContaining('signature'),
    });
    const { jwks } = checkpoints;
    expect(
      await verdict(entries, {
        ...checkpoints,
        jwks: { keys: jwks.keys.map((key) => ({ ...key, x: Buffer.alloc(32, 9).toString('base64url') })) },
      }),
    ).toMatchObject({ firstBadSequence: first.length });
  });
});

const sample = (name: string): string => readFileSync(new URL(`../sample/${name}`, import.meta.url), 'utf8');
/** Made by the service itself. */
const entries = sample('audit-log.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Entry);
const checkpoints = JSON.parse(sample('checkpoints.json')) as CheckpointFile;
const verdict = async (changed: readonly Entry[], file: CheckpointFile = checkpoints) => {
  const [report] = await verifyExport(
    changed.map((entry) => JSON.stringify(entry)),
    file,
  );
  return report;
};
const alter = (sequence: number, change: object): Entry[] =>
  entries.map((entry) => (entry.sequence === sequence ? { ...entry, ...change } : entry));
