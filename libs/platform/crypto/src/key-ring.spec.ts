import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KeyMissing, KeyRing } from './index.ts';

describe('KeyRing', () => {
  it('opens what it sealed, under the same context only', () => {
    const ring = KeyRing.parse(key());
    const sealed = ring.seal('s3cret', 'sso_provider:1');
    expect(sealed).not.toContain('s3cret');
    expect(ring.open(sealed, 'sso_provider:1')).toBe('s3cret');
    expect(() => ring.open(sealed, 'sso_provider:2')).toThrow();
  });

  it('refuses an altered secret', () => {
    const ring = KeyRing.parse(key());
    const sealed = ring.seal('s3cret', 'row');
    const [format, id, body] = sealed.split('.') as [string, string, string];
    const bytes = Buffer.from(body, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    expect(() => ring.open([format, id, bytes.toString('base64url')].join('.'), 'row')).toThrow();
  });

  it('still opens and verifies what an older key wrote after a rotation, and seals it again under the new one', () => {
    const old = key();
    const before = KeyRing.parse(old);
    const sealed = before.seal('s3cret', 'row');
    const mac = before.mac('state', 'abc');
    const after = KeyRing.parse(`k2:${key()},k1:${old}`);
    expect(after.open(sealed, 'row')).toBe('s3cret');
    expect(sealed.split('.')[1]).not.toBe(after.primaryId);
    const again = after.reseal(sealed, 'row');
    expect(again.split('.')[1]).toBe(after.primaryId);
    expect(after.open(again, 'row')).toBe('s3cret');
    expect(after.verifies('state', 'abc', mac)).toBe(true);
    expect(after.verifies('other', 'abc', mac)).toBe(false);
  });

  it('names the key that is missing when it was removed too early (R-41)', () => {
    const old = key();
    const sealed = KeyRing.parse(old).seal('s3cret', 'row');
    const after = KeyRing.parse(key());
    expect(() => after.open(sealed, 'row')).toThrow(KeyMissing);
    expect(() => after.open(sealed, 'row')).toThrow(sealed.split('.')[1]);
  });

  it.each(['', 'short', 'not base64 at all!', randomBytes(31).toString('base64')])(
    'refuses the malformed key %j',
    (text) => {
      expect(() => KeyRing.parse(text)).toThrow('32 bytes');
    },
  );
});

const key = () => randomBytes(32).toString('base64');
