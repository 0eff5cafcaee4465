import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of a few megabytes that can be filled. */
export interface SmallDisk {
  readonly directory: string;
  fill(): void;
  free(): void;
  remove(): void;
}

/** Needs a system that lets us mount: null where it does not, as in most containers. @param pid whose process is to own the disk */
export function smallDisk(megabytes: number, pid: number): SmallDisk | null {
  const mount = mkdtempSync(join(tmpdir(), 'gatehouse-disk-'));
  const { uid, gid } = statSync(`/proc/${pid}`);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,uid=${uid},gid=${gid},mode=0700`, 'tmpfs', mount], { stdio: 'ignore' });
  } catch {
    rmSync(mount, { recursive: true });
    return null;
  }
  const ballast = join(mount, 'ballast');
  return {
    directory: mount,
    fill: () => {
      // `dd` ends with an error when the disk is full, which is what it is for.
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4k'], { stdio: 'ignore' });
      } catch {
        mkdirSync(mount, { recursive: true });
      }
    },
    free: () => rmSync(ballast),
    remove: () => {
      execFileSync('umount', ['-l', mount]);
      rmSync(mount, { recursive: true, force: true });
    },
  };
}

/** Where a link leads, to put things back. */
export const targetOf = (link: string): string => readlinkSync(link);
