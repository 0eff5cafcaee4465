import { describe, expect, it } from '@jest/globals';
import { Effort, foldPath, PathGlob } from '../index.ts';
import { processorMilliseconds } from '../processor-time-spec.ts';

describe('PathGlob', () => {
  it.each([
    ['C:/Tools/*', 'C:\\Tools\\a.exe', true],
    ['C:\\Tools\\*', 'c:/tools/A.EXE', true],
    ['C:/Tools/*', 'C:/Tools/sub/a.exe', false],
    ['C:/Tools/**', 'C:/Tools/sub/a.exe', true],
    ['C:/Tools/**', 'C:/Toolsmith/a.exe', false],
    ['C:/Tools/**/a.exe', 'C:/Tools/a.exe', true],
    ['C:/Tools/**/a.exe', 'C:/Tools/x/y/a.exe', true],
    ['C:/Tools/**/a.exe', 'C:/Tools/xa.exe', false],
    ['**/a.exe', 'a.exe', true],
    ['**/a.exe', 'C:/x/a.exe', true],
    ['**/a.exe', 'C:/x/aa.exe', false],
    ['**a.exe', 'C:/x/aa.exe', true],
    ['C:/?/a', 'C:/x/a', true],
    ['C:/?/a', 'C:/xy/a', false],
    ['C:/?/a', 'C://a', false],
    ['C:?a', 'C:/a', false],
    ['*a*b', 'xaxxb', true],
    ['*a*b', 'xa/xb', false],
    ['**a*b', 'x/a/aab', true],
    ['***', 'any/thing', true],
    ['a.exe', 'aXexe', false],
    ['[a]{b}(c)+', '[a]{b}(c)+', true],
    ['C:/Größe/*', 'c:\\GrÖße\\a', false],
    ['C:/Größe/?', 'c:\\größe\\ß', true],
    ['C:/?/a', 'C:/😀/a', true],
    ['C:/??/a', 'C:/😀/a', false],
    ['C:/*😀?.exe', 'C:/a😀b.exe', true],
    [`${'a'.repeat(40)}?.exe`, `${'a'.repeat(40)}😀.exe`, true],
    [`${'a'.repeat(40)}??.exe`, `${'a'.repeat(40)}😀.exe`, false],
    [`${'a'.repeat(40)}*😀.exe`, `${'a'.repeat(40)}😀😀.exe`, true],
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    [`${'x/'.repeat(40)}*.exe`, `${'x/'.repeat(40)}a.exe`, true],
    [`${'x/'.repeat(40)}*.exe`, `${'x/'.repeat(39)}y/a.exe`, false],
    [`${'a'.repeat(31)}/**/b`, `${'a'.repeat(31)}/b`, true],
  ])('%s against %s: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });

  it.each([['*'.repeat(15) + 'X' + '*'.repeat(3)], ['*a'.repeat(256)], ['**a*'.repeat(128)], ['**/'.repeat(170)]])(
    'PAM-25 takes a path of 32 000 characters in well under 50 ms: %s',
    (glob) => {
      const compiled = new PathGlob(glob);
      const path = 'a'.repeat(31_999) + 'b';
      const best = Math.min(
        ...[1, 2, 3].map(() => {
          const started = processorMilliseconds();
          compiled.matches(path, new Effort(Infinity));
          return processorMilliseconds() - started;
        }),
      );
      expect(best).toBeLessThan(50);
    },
  );

  it('costs next to nothing until a path gets past its fixed ends and its length', () => {
    const glob = `**${'?'.repeat(1000)}**`;
    const began = processorMilliseconds();
    for (let n = 0; n < 5000; n++) new PathGlob(glob).matches('c:/tools/setup.exe');
    expect(processorMilliseconds() - began).toBeLessThan(500);
  });

  it.each([
    ['**/a', 'a', true],
    ['/**/a', '/a', true],
    ['a**/b', 'a/b', true],
    ['a**/b', 'ab', false],
    ['*/a', 'a', false],
    ['**?', '', false],
    ['C:/**/', 'c:/', true],
  ])('%s takes no path that is too short for it, and none is too short that fits: %s, %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected);
  });
});

const matches = (glob: string, path: string): boolean => new PathGlob(glob).matches(foldPath(path));
