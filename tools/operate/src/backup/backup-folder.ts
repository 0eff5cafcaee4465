import { DATABASES } from '@gatehouse/contracts-core';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const FORMAT = 1;
const CONTENTS = 'backup.json';
const NAME = /^gatehouse-\d{8}T\d{6}Z$/;
const UNFINISHED = /^gatehouse-\d{8}T\d{6}Z\.unfinished$/;
/** No backup takes longer: what is older was left by a run that was killed. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

interface DumpFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What a backup holds, in its `backup.json`. It is written last: a folder without it is no backup. */
export interface Contents {
  readonly format: number;
  /** The point in time of all databases. */
  readonly takenAt: string;
  /** The program that wrote the files, with its version. */
  readonly program: string;
  readonly databases: Readonly<Record<string, DumpFile>>;
}

const nameAt = (at: Date): string => `gatehouse-${at.toISOString().replace(/[-:]|\.\d+/g, '')}`;

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** A backup that is being written. It takes its name when it is whole. */
export class NewBackup {
  private constructor(
    private readonly parent: string,
    private readonly name: string,
  ) {}

  /** @throws Error when the folder is missing, or already holds a backup of this second */
  static begin(parent: string, at: Date): NewBackup {
    if (!existsSync(parent)) throw new Error(`there is no folder ${parent}`);
    const backup = new NewBackup(parent, nameAt(at));
    if (existsSync(backup.path)) throw new Error(`${backup.path} exists already, and nothing is overwritten`);
    mkdirSync(backup.draft, { mode: 0o700 });
    return backup;
  }

  get path(): string {
    return join(this.parent, this.name);
  }

  fileOf(database: string): string {
    return join(this.draft, `${database}.dump`);
  }

  async finish(takenAt: Date, program: string): Promise<Contents> {
    const databases: Record<string, DumpFile> = {};
    for (const name of DATABASES) {
      const path = this.fileOf(name);
      databases[name] = { file: `${name}.dump`, bytes: statSync(path).size, sha256: await digestOf(path) };
    }
    const contents = { format: FORMAT, takenAt: takenAt.toISOString(), program, databases };
    writeFileSync(join(this.draft, CONTENTS), `${JSON.stringify(contents, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(this.draft, this.path);
    return contents;
  }

  abandon(): void {
    rmSync(this.draft, { recursive: true, force: true });
  }

  private get draft(): string {
    return `${this.path}.unfinished`;
  }
}

/** The names of the whole backups in a folder, oldest first. */
const backupsIn = (parent: string): string[] =>
  readdirSync(parent)
    .filter((name) => NAME.test(name) && existsSync(join(parent, name, CONTENTS)))
    .sort();

/** Removes the oldest backups beyond a number, and what killed runs left. @returns the names of the removed backups */
export function retain(parent: string, keep: number): string[] {
  const old = backupsIn(parent).slice(0, -keep);
  const left = readdirSync(parent).filter(
    (name) => UNFINISHED.test(name) && Date.now() - statSync(join(parent, name)).mtimeMs > ABANDONED_MS,
  );
  for (const name of [...old, ...left]) rmSync(join(parent, name), { recursive: true });
  return old;
}

/** The backup that a path names, or the newest in the folder that it names. @throws Error when there is none */
export function findBackup(path: string): string {
  if (existsSync(join(path, CONTENTS))) return path;
  const newest = existsSync(path) ? backupsIn(path).at(-1) : undefined;
  if (newest === undefined) throw new Error(`there is no whole backup in ${path}`);
  return join(path, newest);
}

/**
 * Reads what a backup holds, and checks every file of it.
 * @returns the file of each database
 * @throws Error for a backup of another version, or one that lacks a database or was altered
 */
export async function checkedFiles(path: string): Promise<{ takenAt: string; files: ReadonlyMap<string, string> }> {
  const { format, takenAt, databases } = JSON.parse(readFileSync(join(path, CONTENTS), 'utf8')) as Contents;
  if (format !== FORMAT) throw new Error(`${path} has format ${format}; this version reads format ${FORMAT}`);
  const files = new Map<string, string>();
  for (const name of DATABASES) {
    const dump = databases[name];
    if (!dump) throw new Error(`${path} holds nothing of the database ${name}`);
    const file = join(path, `${name}.dump`);
    if (!existsSync(file) || (await digestOf(file)) !== dump.sha256)
      throw new Error(`${file} is not the file that was written: its checksum differs`);
    files.set(name, file);
  }
  return { takenAt, files };
}
