import { describe, expect, it } from '@jest/globals';
import { startTime, type SystemOfPrograms } from './start-time.ts';

const never = (): never => {
  throw new Error('not on this system');
};

describe('the start time of a program', () => {
  it('is read with ps on macOS, which has no /proc, in the same words for every language and time zone', () => {
    const asked: unknown[] = [];
    const system = macOs((args, env) => {
      asked.push(args, env);
      return 'S+   Mon Nov 23 22:39:35 2026    \n';
    });
    expect(startTime(7, system)).toBe('Mon Nov 23 22:39:35 2026');
    expect(asked).toEqual([['-o', 'stat=', '-o', 'lstart=', '-p', '7'], { LC_ALL: 'C', TZ: 'UTC' }]);
  });

  it.each([
    ['has ended, before its parent has heard', () => 'Z    Mon Nov 23 22:39:35 2026\n'],
    ['is not there: ps prints nothing', () => ''],
    ['is not there: ps fails', never],
  ])('is unknown on macOS for a program that %s', (_, ps) => {
    expect(startTime(7, macOs(ps))).toBeUndefined();
  });

  it('is read from /proc on Linux, without ps', () => {
    const rest = Array.from({ length: 30 }, (_, index) => index).join(' ');
    expect(startTime(7, linux(`7 (a (strange) name) ${rest}`))).toBe('19');
    expect(startTime(7, linux(`7 (ended) Z ${rest}`))).toBeUndefined();
  });
});

const macOs = (ps: SystemOfPrograms['ps']): SystemOfPrograms => ({ platform: 'darwin', read: never, ps });

const linux = (stat: string): SystemOfPrograms => ({ platform: 'linux', read: () => stat, ps: never });
