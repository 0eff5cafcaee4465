import { describe, expect, it } from '@jest/globals';
import { jsonLine } from './export-formats.ts';

describe('a line of an export', () => {
  it('ATK-29: is one line, whatever line ends its texts hold, and the same value again', () => {
    const entry = { details: { 'na\u2028me': 'one\u2028{"forged":1}\u2029two\r\nthree\u0085four\\u2028' } };
    const line = jsonLine(entry);
    expect(line.slice(0, -1).split(/[\r\n\u0085\u2028\u2029]/)).toHaveLength(1);
    expect(JSON.parse(line)).toEqual(entry);
  });
});
