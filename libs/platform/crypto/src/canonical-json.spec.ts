import { describe, expect, it } from '@jest/globals';
import { canonicalJson } from './index.ts';

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

  it.each([
    [{ b: 1, a: [true, null, 'x"'] }, '{"a":[true,null,"x\\""],"b":1}'],
    [{ é: 1, z: 2, A: undefined }, '{"z":2,"é":1}'],
    [[1e21, 0.1, -0, 1.0], '[1e+21,0.1,0,1]'],
    ['\u2028', '"\u2028"'],
  ])('spells %j as %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});
