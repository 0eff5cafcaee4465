import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const BALLAST = 'ballast';

/** A file system in memory that a test can fill completely. */
export class SmallDisk {
  private constructor(private readonly directory: string) {}

  /** Mounts the disk; null where this process may not mount, as an ordinary user and in most containers. */
  static mount(megabytes: number, { uid, gid }: Owner): SmallDisk | null {
    const disk = new SmallDisk(mkdtempSync(join(tmpdir(), 'gatehouse-disk-')));
    // The server's account needs to traverse the directory.
    chmodSync(disk.directory, 0o711);
    mkdirSync(disk.path);
    if (
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700,uid=${uid},gid=${gid}`, 'tmpfs', disk.path])
        .status === 0
    )
      return disk;
    disk.remove();
    return null;
  }

  get path(): string {
    return join(this.directory, 'disk');
  }

  /** Asks for more than is free, because the server takes and frees room at the same time. */
  fill(): void {
    const { bavail, bsize } = statfsSync(this.path);
    try {
      writeFileSync(join(this.path, BALLAST), Buffer.alloc((bavail + 1) * bsize));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  makeRoom(): void {
    rmSync(join(this.path, BALLAST), { force: true });
  }

  unmount(): void {
    execFileSync('umount', [this.path]);
    this.remove();
  }

  private remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}

/** Whether this process may mount such disks. */
export function mayMount(): boolean {
  const probe = SmallDisk.mount(1, { uid: 0, gid: 0 });
  probe?.unmount();
  return probe !== null;
}
