import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BINARY_CACHE } from '../paths.ts';
import { messageOf } from '../stack-error.ts';
import { onPath, run } from './run.ts';

/** Servers unpacked from packages of the distribution, without installing anything and without root. */
export interface PackageRequest {
  readonly name: string;
  readonly packages: readonly string[];
  /** A Debian release to ask first when the system's own is older. */
  readonly preferRelease?: { readonly name: string; readonly version: number };
  /** Path of the program inside the packages, one of these. */
  readonly programs: readonly string[];
}

export interface UnpackedProgram {
  readonly program: string;
  readonly libraries: string;
}

const LIBRARY_DIRECTORY = 'gatehouse-libraries';
const PACKAGE_OF_LIBRARY: Readonly<Record<string, string>> = {
  'libcrypto.so.3': 'libssl3',
  'libz.so.1': 'zlib1g',
};

/** `libfoo.so.1` is in package `libfoo1`, `libfoo2.so.0` in `libfoo2-0`; time_t variants end in `t64`. */
export function packageNames(library: string): string[] {
  const [, stem = library, version = ''] = /^(.+)\.so\.(\d+)/.exec(library) ?? [];
  const name = PACKAGE_OF_LIBRARY[library] ?? `${stem}${/\d$/.test(stem) ? '-' : ''}${version}`.toLowerCase();
  return [name, `${name}t64`];
}

/** Where this system gets its packages from: the first archive of its apt sources, in either of their two formats. */
export function archiveOf(sources: readonly string[]): string | undefined {
  const entry = /^(?:URIs:\s*|deb\s+(?:\[[^\]]*\]\s+)?)(\S+)/m;
  return sources.map((text) => entry.exec(text)?.[1]).find((archive) => archive !== undefined);
}

function debianVersion(): number | undefined {
  if (!existsSync('/etc/os-release')) return undefined;
  const release = readFileSync('/etc/os-release', 'utf8');
  return /^ID=debian$/m.test(release) ? Number(/^VERSION_ID="?(\d+)/m.exec(release)?.[1]) : undefined;
}

/** Runs apt with lists and archives of its own, so that neither root nor the system's state is needed. */
class PrivateApt {
  private readonly configuration: string;

  constructor(
    private readonly directory: string,
    source?: string,
  ) {
    for (const part of ['lists/partial', 'cache/archives/partial', 'debs'])
      mkdirSync(join(directory, part), { recursive: true });
    this.configuration = join(directory, 'apt.conf');
    const lines = [
      `Dir::State::Lists "${directory}/lists";`,
      `Dir::Cache "${directory}/cache";`,
      'APT::Get::Assume-Yes "true";',
    ];
    if (process.getuid?.() === 0) lines.push('APT::Sandbox::User "root";');
    if (source !== undefined) {
      writeFileSync(join(directory, 'sources.list'), source);
      lines.push(`Dir::Etc::SourceList "${directory}/sources.list";`, 'Dir::Etc::SourceParts "/dev/null";');
    }
    writeFileSync(this.configuration, `${lines.join('\n')}\n`);
  }

  async update(): Promise<void> {
    await this.apt('update');
  }

  /** Downloads and unpacks into `root`. */
  async unpack(packages: readonly string[], root: string): Promise<void> {
    const debs = join(this.directory, 'debs');
    await this.apt('download', ...packages);
    for (const file of readdirSync(debs)) {
      await run('dpkg-deb', ['-x', join(debs, file), root]);
      rmSync(join(debs, file));
    }
  }

  private apt(...args: string[]): Promise<string> {
    return run('apt-get', args, {
      cwd: join(this.directory, 'debs'),
      env: { ...process.env, APT_CONFIG: this.configuration },
    });
  }
}

async function missingLibraries(program: string, libraries: string): Promise<string[]> {
  const output = await run('ldd', [program], { env: { ...process.env, LD_LIBRARY_PATH: libraries } });
  return [...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, library]) => library ?? '');
}

async function unpackFirst(apt: PrivateApt, names: readonly string[], root: string): Promise<void> {
  const [name, ...others] = names;
  if (name === undefined) throw new Error('no package holds a shared library that the server needs');
  await apt.unpack([name], root).catch(() => unpackFirst(apt, others, root));
}

/**
 * Libraries lie in directories named for the machine (`usr/lib/x86_64-linux-gnu`); one flat directory serves them all.
 */
function gatherLibraries(root: string): string {
  const directory = join(root, LIBRARY_DIRECTORY);
  mkdirSync(directory, { recursive: true });
  const bases = ['usr/lib', 'lib'].map((base) => join(root, base)).filter(existsSync);
  const machines = bases.flatMap((base) =>
    readdirSync(base)
      .filter((name) => name.includes('-linux-'))
      .map((name) => join(base, name)),
  );
  for (const machine of machines) {
    for (const file of readdirSync(machine).filter((name) => name.includes('.so')))
      renameSync(join(machine, file), join(directory, file));
  }
  return directory;
}

async function addLibraries(apt: PrivateApt, program: string, root: string): Promise<void> {
  const libraries = gatherLibraries(root);
  for (const library of await missingLibraries(program, libraries)) await unpackFirst(apt, packageNames(library), root);
  gatherLibraries(root);
}

const programIn = (root: string, { programs }: PackageRequest): string | undefined =>
  programs.map((path) => join(root, path)).find(existsSync);

async function unpackFrom(request: PackageRequest, work: string, source?: string): Promise<void> {
  const root = join(work, 'root');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  const apt = new PrivateApt(join(work, source === undefined ? 'system' : 'release'), source);
  await apt.update();
  await apt.unpack(request.packages, root);
  const program = programIn(root, request);
  if (program === undefined) throw new Error(`the packages ${request.packages.join(', ')} do not hold the server`);
  await addLibraries(apt, program, root);
  await run(program, ['--version'], { env: { ...process.env, LD_LIBRARY_PATH: join(root, LIBRARY_DIRECTORY) } });
}

async function unpackAny(request: PackageRequest, work: string): Promise<void> {
  const release = request.preferRelease;
  const ours = debianVersion();
  if (release !== undefined && ours !== undefined && ours < release.version) {
    const archive = archiveOf(
      ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list']
        .filter(existsSync)
        .map((file) => readFileSync(file, 'utf8')),
    );
    const source = `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${archive} ${release.name} main\n`;
    if (
      archive &&
      (await unpackFrom(request, work, source).then(
        () => true,
        () => false,
      ))
    )
      return;
  }
  await unpackFrom(request, work);
}

const unpacked = (request: PackageRequest): UnpackedProgram | undefined => {
  const root = join(BINARY_CACHE, request.name);
  const program = programIn(root, request);
  return program === undefined ? undefined : { program, libraries: join(root, LIBRARY_DIRECTORY) };
};

/** Whether apt may be asked: a Mac may have it too, but no server that would run there. */
export const hasPackages = (
  platform: NodeJS.Platform = process.platform,
  find: (program: string) => string | undefined = onPath,
): boolean => platform === 'linux' && ['apt-get', 'dpkg-deb'].every((program) => find(program) !== undefined);

/** The server from the cache, or downloaded into it; undefined if apt is missing or cannot reach a package. */
export async function debianProgram(
  request: PackageRequest,
  log: (line: string) => void,
): Promise<UnpackedProgram | undefined> {
  const cached = unpacked(request);
  if (cached !== undefined || !hasPackages()) return cached;
  log(`downloading ${request.packages.join(', ')} with apt-get into .stack/bin`);
  const work = join(BINARY_CACHE, `${request.name}.${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    await unpackAny(request, work);
    if (unpacked(request) === undefined) renameSync(join(work, 'root'), join(BINARY_CACHE, request.name));
  } catch (error) {
    log(`${request.name} could not be had from apt-get: ${messageOf(error)}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return unpacked(request);
}
