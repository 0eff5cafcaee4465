import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './canonical-json.ts';

describe('canonicalJson', () => {
  it('is the same for equal values, whatever the order of their members', () => {
    expect(canonicalJson({ b: 1, a: { d: [2, { z: 1, y: null }], c: 'é' } })).toBe(
      '{"a":{"c":"é","d":[2,{"y":null,"z":1}]},"b":1}',
    );
    expect(canonicalJson({ a: { c: 'é', d: [2, { y: null, z: 1 }] }, b: 1 })).toBe(
      canonicalJson({ b: 1, a: { d: [2, { z: 1, y: null }], c: 'é' } }),
    );
  });

  it('orders names that look like numbers as texts too', () => {
    expect(canonicalJson({ 9: true, 10: false })).toBe('{"10":false,"9":true}');
  });

  it('keeps the order of lists, which means something', () => {
    expect(canonicalJson({ a: [2, 1] })).not.toBe(canonicalJson({ a: [1, 2] }));
  });

  it('does not depend on the spelling of numbers that are equal', () => {
    expect(canonicalJson(JSON.parse('{"n":1.0}') as object)).toBe('{"n":1}');
  });
});
