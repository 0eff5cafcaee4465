import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Part } from '../parts/running-part.ts';
import { isAlive, type PidRecord, recordOf } from '../pid-record.ts';

interface Lease extends PidRecord {
  readonly parts: readonly Part[];
}

/** The leases on the shared parts: one file for each program, void once the program has ended. */
export class Leases {
  private readonly directory: string;

  constructor(stack: string) {
    this.directory = join(stack, 'run', 'leases');
    mkdirSync(this.directory, { recursive: true });
  }

  take(parts: readonly Part[]): void {
    writeFileSync(this.own, JSON.stringify({ ...recordOf(process.pid), parts }));
  }

  giveBack(): void {
    rmSync(this.own, { force: true });
  }

  /** The parts that a living program uses. */
  wanted(): Set<Part> {
    const living = readdirSync(this.directory)
      .map((file) => this.read(join(this.directory, file)))
      .filter((lease) => lease !== undefined);
    return new Set(living.flatMap(({ parts }) => parts));
  }

  private get own(): string {
    return join(this.directory, `${process.pid}.json`);
  }

  private read(file: string): Lease | undefined {
    try {
      const lease = JSON.parse(readFileSync(file, 'utf8')) as Lease;
      if (isAlive(lease)) return lease;
      rmSync(file, { force: true });
      return undefined;
    } catch {
      // The file is being written or removed at this moment.
      return undefined;
    }
  }
}
