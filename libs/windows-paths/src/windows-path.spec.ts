import { describe, expect, it } from '@jest/globals';
import { isPlainPath, plainFormsOf } from './index.ts';

describe('PAM-330 a plain path', () => {
  it.each([
    'C:\\Program Files\\Acme\\a.exe',
    'c:\\Users\\ann.b\\a.tar.gz',
    '\\\\server\\share\\a.exe',
    '\\\\files.corp.example\\users$\\ann\\a.exe',
    '/usr/bin/sudo',
    'C:\\Ünï\\ça va.exe',
    'C:\\中文\\程序.exe',
    'C:\\100% Tools\\a.exe',
    'C:\\Backup~2024\\a.exe',
    'C:\\Consoles\\a.exe',
  ])('is taken as it is: %s', (path) => {
    expect(isPlainPath(path, 'PC-7')).toBe(true);
  });

  it.each([
    ['a step up', 'C:\\Tools\\..\\Temp\\evil.exe', 'c:/temp/evil.exe'],
    ['a step in place', 'C:\\Tools\\.\\evil.exe', 'c:/tools/evil.exe'],
    ['steps beyond the root', 'C:\\..\\..\\evil.exe', 'c:/evil.exe'],
    ['a trailing dot', 'C:\\Tools\\evil.exe.', 'c:/tools/evil.exe'],
    ['trailing blanks', 'C:\\Tools\\evil.exe  ', 'c:/tools/evil.exe'],
    ['a folder with a trailing dot and blank', 'C:\\Tools. \\evil.exe', 'c:/tools/evil.exe'],
    ['quotes', '"C:\\Tools\\evil.exe"', 'c:/tools/evil.exe'],
    ['a path beyond MAX_PATH', '\\\\?\\C:\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['a device path', '\\\\.\\C:\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['an object of the kernel', '\\??\\C:\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['a global object', '\\GLOBAL??\\C:\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['DosDevices', '\\DosDevices\\C:\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['a share beyond MAX_PATH', '\\\\?\\UNC\\server\\share\\evil.exe', '//server/share/evil.exe'],
    ['an administrative share beyond MAX_PATH', '\\\\?\\UNC\\pc\\c$\\evil.exe', 'c:/evil.exe'],
    ['a volume', '\\Device\\HarddiskVolume3\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['a volume by its id', '\\\\?\\Volume{1d9a-00}\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['a volume by GLOBALROOT', '\\\\?\\GLOBALROOT\\Device\\HarddiskVolume3\\evil.exe', 'c:/evil.exe'],
    ['a partition', '\\Device\\Harddisk0\\Partition2\\evil.exe', 'c:/evil.exe'],
    ['a redirector', '\\Device\\Mup\\server\\share\\evil.exe', '//server/share/evil.exe'],
    ['SystemRoot', '\\SystemRoot\\System32\\cmd.exe', 'c:/windows/system32/cmd.exe'],
    ['SystemRoot by GLOBALROOT', '\\\\.\\GLOBALROOT\\SystemRoot\\cmd.exe', 'c:/windows/cmd.exe'],
    ['an administrative share', '\\\\server\\C$\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['ADMIN$', '\\\\server\\ADMIN$\\evil.exe', 'c:/windows/evil.exe'],
    ['WebDAV without a port', '\\\\server\\DavWWWRoot\\share\\evil.exe', '//server/share/evil.exe'],
    ['a share of WebDAV', '\\\\server@SSL@443\\DavWWWRoot\\share\\evil.exe', '//server/share/evil.exe'],
    ['a share of the machine', '\\\\pc-7\\share\\evil.exe', '//pc-7/share/evil.exe'],
    ['a share of the machine in its domain', '\\\\pc-7.corp\\share\\evil.exe', '//pc-7.corp/share/evil.exe'],
    ['a share of localhost', '\\\\LOCALHOST\\share\\evil.exe', '//localhost/share/evil.exe'],
    ['a share of the Linux subsystem', '\\\\wsl$\\Ubuntu\\evil.exe', '//wsl$/ubuntu/evil.exe'],
    ['a loopback address', '\\\\127.0.0.1\\C$\\evil.exe', 'c:/evil.exe'],
    ['a short loopback address', '\\\\127.1\\share\\evil.exe', '//127.1/share/evil.exe'],
    ['a loopback address as a number', '\\\\0x7f000001\\share\\evil.exe', '//0x7f000001/share/evil.exe'],
    ['IPv6', '\\\\--1.ipv6-literal.net\\share\\e.exe', '//--1.ipv6-literal.net/share/e.exe'],
    ['another address', '\\\\10.0.0.5\\share\\evil.exe', '//10.0.0.5/share/evil.exe'],
    ['full-width digits', '\\\\１２７.0.0.1\\share\\evil.exe', '//１２７.0.0.1/share/evil.exe'],
    ['localhost in circled letters', '\\\\ⓛocalhost\\share\\evil.exe', '//ⓛocalhost/share/evil.exe'],
    ['a named redirector', '\\\\;LanmanRedirector\\server\\share\\evil.exe', '//server/share/evil.exe'],
    ['a redirector of a drive', '\\\\;LanmanRedirector\\;Z:01\\pc-7\\C$\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['a variable', '%SystemRoot%\\System32\\cmd.exe', 'c:/windows/system32/cmd.exe'],
    ['a variable of the user', '%TEMP%\\evil.exe', 'c:/users/%username%/appdata/local/temp/evil.exe'],
    ['the command processor', '%ComSpec%', 'c:/windows/system32/cmd.exe'],
    ['the system folder of 32-bit programs', 'C:\\Windows\\Sysnative\\cmd.exe', 'c:/windows/system32/cmd.exe'],
    ['the same with a tilde', 'C:\\Windows\\Sysnative\\a~b.exe', 'c:/windows/system32/a~b.exe'],
    ['an address of IPv6', '\\\\[::1]\\C$\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['a path from the folder of a drive', 'C:Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['a path from the root', '\\Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['a path from the root with slashes', '/Users/bob/evil.exe', 'c:/users/bob/evil.exe'],
    ['a relative path', 'evil.exe', 'evil.exe'],
    ['slashes', 'C:/Tools/evil.exe', 'c:/tools/evil.exe'],
    ['both separators', 'C:/Tools\\evil.exe', 'c:/tools/evil.exe'],
    ['doubled separators', 'C:\\Tools\\\\evil.exe', 'c:/tools/evil.exe'],
    ['a URL', 'file:///C:/Tools/evil.exe', 'c:/tools/evil.exe'],
    ['a stream', 'C:\\Tools\\evil.exe::$DATA', 'c:/tools/evil.exe'],
    ['a stream with a line separator', 'C:\\Tools\\evil.exe:a\u2028b', 'c:/tools/evil.exe'],
    ['a known short name', 'C:\\PROGRA~1\\evil.exe', 'c:/program files/evil.exe'],
    ['another short name', 'C:\\ACMETO~1\\evil.exe', 'c:/acmeto~1/evil.exe'],
    ['a short file name', 'C:\\Tools\\MIMIKA~1.EXE', 'c:/tools/mimika~1.exe'],
    ['a name of a device', 'C:\\Tools\\NUL', 'c:/tools/nul'],
    ['a paragraph separator', 'C:\\Tools\\evil\u2029.exe', 'c:/tools/evil.exe'],
    ['a tag character', 'C:\\Tools\\evil\u{e0041}.exe', 'c:/tools/evil.exe'],
    ['a zero-width space', 'C:\\Tools\\e\u200bvil.exe', 'c:/tools/evil.exe'],
    ['a bidirectional mark', 'C:\\Tools\\\u202eevil.exe', 'c:/tools/evil.exe'],
    ['a control', 'C:\\Tools\\evil\u0007.exe', 'c:/tools/evil.exe'],
    ['steps on another system', '/usr/bin/../../tmp/evil', '/tmp/evil'],
  ])('is none with %s, and its plain form is known', (_, path, form) => {
    expect(isPlainPath(path, 'PC-7')).toBe(false);
    expect(plainFormsOf(path)).toContain(form);
  });
});

describe('the price of a path', () => {
  const LENGTH = 32_000;
  it.each([
    ['dots before a letter', `C:\\..\\${'.'.repeat(LENGTH)}x`],
    ['blanks before a letter', `C:\\..\\${' '.repeat(LENGTH)}x`],
    ['colons before a line separator', `${':'.repeat(LENGTH)}\u2028x`],
    ['slashes', '/'.repeat(LENGTH)],
    ['dots behind a drive', `C:\\${'.'.repeat(LENGTH)}`],
    ['short names', `C:${'\\a~1'.repeat(LENGTH / 4)}x`],
    ['percent signs', `C:\\${'%'.repeat(LENGTH)}`],
    ['servers', `\\\\${'a@'.repeat(LENGTH / 2)}`],
    ['numbers', `\\\\${'1.'.repeat(LENGTH / 2)}x\\share\\x`],
    ['invisible signs', '\u200b'.repeat(LENGTH)],
  ])('does not grow with the square of its length: %s', (_, path) => {
    expect(millisecondsOf(path)).toBeLessThan(50 * Math.max(usual(), 0.5));
  });

  /** The least of some tries: the machine may have been busy during the others. */
  const millisecondsOf = (path: string): number =>
    Math.min(
      ...Array.from({ length: 4 }, () => {
        const began = processorMilliseconds();
        expect(plainFormsOf(path)[0]?.length).toBeLessThanOrEqual(path.length);
        expect([true, false]).toContain(isPlainPath(path));
        return processorMilliseconds() - began;
      }),
    );
  const usual = (): number => millisecondsOf(`C:${'\\folder'.repeat(LENGTH / 7)}\\a.exe`);
});

const processorMilliseconds = (): number => Object.values(process.cpuUsage()).reduce((sum, one) => sum + one) / 1000;
