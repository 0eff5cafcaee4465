import { describe, expect, it } from '@jest/globals';
import { isSuspiciousPath, normalisePath } from './index.ts';

describe('isSuspiciousPath', () => {
  it.each(['C:\\Program Files\\Acme\\a.exe', 'C:/Users/ann.b/a.tar.gz', '\\\\server\\share\\a.exe', '/usr/bin/sudo', 'a.exe', 'C:\\Ünï\\ça va.exe', 'C:\\中文\\程序.exe'])('takes %s as it is', (path) => {
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
