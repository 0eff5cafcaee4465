import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { KeyRing } from './key-ring.ts';

const key = () => randomBytes(32).toString('base64');

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

  it('still opens and verifies what an older key wrote after a rotation, and names it stale', () => {
    const old = key();
    const before = KeyRing.parse(old);
    const sealed = before.seal('s3cret', 'row');
    const mac = before.mac('state', 'abc');
    const after = KeyRing.parse(`k2:${key()},k1:${old}`);
    expect(after.open(sealed, 'row')).toBe('s3cret');
    expect(after.isStale(sealed)).toBe(true);
    expect(after.verifies('state', 'abc', mac)).toBe(true);
    expect(after.verifies('other', 'abc', mac)).toBe(false);
    expect(after.isStale(after.seal('x', 'row'))).toBe(false);
  });

  it.each(['', 'short', 'not base64 at all!', randomBytes(31).toString('base64')])('refuses the malformed key %j', (text) => {
    expect(() => KeyRing.parse(text)).toThrow('32 bytes');
  });
});
