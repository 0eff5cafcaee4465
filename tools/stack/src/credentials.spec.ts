import { DATABASES, GATEWAY } from '@gatehouse/contracts-core';
import { KeyRing } from '@gatehouse/crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialsOf } from './credentials.ts';

describe('the credentials of a stack', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'gatehouse-credentials-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('ATK-03j hold a sealing key for each database and for the gateway, and none that all share', () => {
    const { sealingKeys, secretEncryptionKey } = credentialsOf(directory);
    expect(Object.keys(sealingKeys).sort()).toEqual([...DATABASES, GATEWAY.name].sort());
    expect(new Set(Object.values(sealingKeys)).size).toBe(6);
    expect(secretEncryptionKey).toBeUndefined();
    const [one, other] = [KeyRing.parse(sealingKeys['identity'] ?? ''), KeyRing.parse(sealingKeys['pam'] ?? '')];
    expect(() => other.open(one.seal('secret', 'row'), 'row')).toThrow('its key');
    expect(credentialsOf(directory).sealingKeys).toEqual(sealingKeys);
  });

  it('ATK-03j of an earlier version keep the shared key, and get the same keys of their own each time', () => {
    const { sealingKeys: _none, ...earlier } = credentialsOf(directory);
    const shared = Buffer.alloc(32, 1).toString('base64');
    const file = join(directory, 'credentials.json');
    writeFileSync(file, JSON.stringify({ ...earlier, secretEncryptionKey: shared }));
    const before = readFileSync(file, 'utf8');
    const { sealingKeys, secretEncryptionKey } = credentialsOf(directory);
    expect(secretEncryptionKey).toBe(shared);
    expect(credentialsOf(directory).sealingKeys).toEqual(sealingKeys);
    expect(readFileSync(file, 'utf8')).toBe(before);
    const sealed = KeyRing.parse(shared).seal('secret', 'row');
    expect(KeyRing.parse(`${sealingKeys['identity']},${shared}`).open(sealed, 'row')).toBe('secret');
    expect(() =>
      KeyRing.parse(sealingKeys['pam'] ?? '').open(
        KeyRing.parse(sealingKeys['identity'] ?? '').seal('x', 'row'),
        'row',
      ),
    ).toThrow();
  });
});
