import { describe, expect, it } from '@jest/globals';
import {
  hashOfRecoveryCode,
  matchingStep,
  newRecoveryCodes,
  newTotpSecret,
  otpauthUrl,
} from '../people/second-factors.ts';

describe('matchingStep', () => {
  it.each([
    [59, '287082', 1],
    [1111111109, '081804', 37037036],
    [1111111111, '050471', 37037037],
    [2000000000, '279037', 66666666],
  ])('takes the code of RFC 6238 at %d', (at, code, step) => {
    expect(matchingStep(SECRET, code, at)).toBe(step);
  });

  it('takes the neighbouring steps, for clocks that differ, and no further ones', () => {
    expect(matchingStep(SECRET, '050471', 1111111111 + 30)).toBe(37037037);
    expect(matchingStep(SECRET, '050471', 1111111111 - 30)).toBe(37037037);
    expect(matchingStep(SECRET, '050471', 1111111111 + 90)).toBeNull();
  });

  it.each(['', '05047', '0504711', 'abcdef', '٠٥٠٤٧١', ' 050471'])('refuses "%s"', (code) => {
    expect(matchingStep(SECRET, code, 1111111111)).toBeNull();
  });

  it('offers secrets of 160 bits in the form that apps read', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(otpauthUrl('a b@example.test', secret)).searchParams.get('secret')).toBe(secret);
  });
});

describe('recovery codes', () => {
  it('are ten different ones of 80 bits that people can type in their own way', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(code).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/);
      expect(hashOfRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(hashOfRecoveryCode(code));
    }
  });
});

/** RFC 6238, appendix B: SHA-1, the last six digits; the secret is "12345678901234567890". */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
