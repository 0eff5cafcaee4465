import { describe, expect, it } from '@jest/globals';
import { isSuspiciousPath, normalisePath } from '../index.ts';
import { processorMilliseconds } from '../processor-time-spec.ts';

describe('isSuspiciousPath', () => {
  it.each([
    'C:\\Program Files\\Acme\\a.exe',
    'C:/Users/ann.b/a.tar.gz',
    '\\\\server\\share\\a.exe',
    '/usr/bin/sudo',
    'a.exe',
    'C:\\Ünï\\ça va.exe',
    'C:\\中文\\程序.exe',
  ])('takes %s as it is', (path) => {
    expect(isSuspiciousPath(path)).toBe(false);
  });

  it.each([
    ['C:\\Tools\\..\\Temp\\evil.exe', 'c:/temp/evil.exe'],
    ['C:\\Tools\\.\\evil.exe', 'c:/tools/evil.exe'],
    ['C:\\Tools\\evil.exe.', 'c:/tools/evil.exe'],
    ['C:\\Tools\\evil.exe  ', 'c:/tools/evil.exe'],
    ['C:\\Tools. \\evil.exe', 'c:/tools/evil.exe'],
    ['\\\\?\\C:\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['\\\\.\\C:\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['\\??\\C:\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['\\\\?\\UNC\\server\\share\\evil.exe', '//server/share/evil.exe'],
    ['C:\\Tools\\evil.exe::$DATA', 'c:/tools/evil.exe'],
    ['C:\\Tools\\evil.exe:a\u2028b', 'c:/tools/evil.exe'],
    ['C:\\Tools\\evil\u2029.exe', 'c:/tools/evil.exe'],
    ['C:\\Tools\\evil\u{e0041}.exe', 'c:/tools/evil.exe'],
    ['C:\\Tools\\\\evil.exe', 'c:/tools/evil.exe'],
    ['C:\\Tools\\e\u200bvil.exe', 'c:/tools/evil.exe'],
    ['C:\\Tools\\\u202eevil.exe', 'c:/tools/evil.exe'],
    ['C:\\Tools\\evil\u0007.exe', 'c:/tools/evil.exe'],
    ['C:\\..\\..\\evil.exe', 'c:/evil.exe'],
    ['/usr/bin/../../tmp/evil', '/tmp/evil'],
  ])('%j is suspicious, and really %s', (path, real) => {
    expect(isSuspiciousPath(path)).toBe(true);
    expect(normalisePath(path)).toBe(real);
  });
});

describe('the price of a path', () => {
  const LENGTH = 32_000;
  /** The least of some tries: the machine may have been busy during the others. */
  const millisecondsOf = (path: string): number =>
    Math.min(
      ...Array.from({ length: 4 }, () => {
        const began = processorMilliseconds();
        expect(normalisePath(path).length).toBeLessThanOrEqual(path.length);
        expect([true, false]).toContain(isSuspiciousPath(path));
        return processorMilliseconds() - began;
      }),
    );
  const usual = (): number => millisecondsOf(`C:${'\\folder'.repeat(LENGTH / 7)}\\a.exe`);

  it.each([
    ['dots before a letter', `C:\\..\\${'.'.repeat(LENGTH)}x`],
    ['blanks before a letter', `C:\\..\\${' '.repeat(LENGTH)}x`],
    ['colons before a line separator', `${':'.repeat(LENGTH)}\u2028x`],
    ['slashes', '/'.repeat(LENGTH)],
    ['invisible signs', '\u200b'.repeat(LENGTH)],
  ])('does not grow with the square of its length: %s', (_, path) => {
    expect(millisecondsOf(path)).toBeLessThan(50 * Math.max(usual(), 0.5));
  });
});
