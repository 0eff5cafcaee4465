import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What tells when a program started: files of Linux, the command `ps` elsewhere. */
export interface SystemOfPrograms {
  readonly platform: NodeJS.Platform;
  /** The contents of a file. */
  read(path: string): string;
  /** What `ps` prints. */
  ps(args: readonly string[], env: NodeJS.ProcessEnv): string;
}

const HERE: SystemOfPrograms = {
  platform: process.platform,
  read: (path) => readFileSync(path, 'utf8'),
  ps: (args, env) =>
    execFileSync('ps', args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] }).toString(),
};

/** An ended program whose parent has not heard of it yet. */
const ENDED = 'Z';
/** `ps` writes times in the language and the zone of the program that asks; another program must read the same. */
const SAME_FOR_ALL = { LC_ALL: 'C', TZ: 'UTC' };

function fromLinux(pid: number, system: SystemOfPrograms): string | undefined {
  const stat = system.read(`/proc/${pid}/stat`);
  // The program's name (field 2) may hold spaces and brackets: count from behind it. Index 0 is the state, 19 the
  // start time.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === ENDED ? undefined : fields[19];
}

function fromPs(pid: number, system: SystemOfPrograms): string | undefined {
  const line = system.ps(['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], SAME_FOR_ALL).trim();
  const [state = '', ...time] = line.split(/\s+/);
  return state.startsWith(ENDED) ? undefined : time.join(' ') || undefined;
}

/** When the program with this pid started, in the system's own words; undefined when there is none. */
export function startTime(pid: number, system: SystemOfPrograms = HERE): string | undefined {
  try {
    return system.platform === 'linux' ? fromLinux(pid, system) : fromPs(pid, system);
  } catch {
    return undefined;
  }
}
