import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

// Which packages of npm a program holds: read from the bundler's account of what it wrote, not from any list of wishes.

/** The directory of the package that a file belongs to, and the name; null for our own files. */
const PACKAGE = /^(.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+))\//;

const directoryOf = (file) => PACKAGE.exec(file.split(sep).join('/'))?.[1] ?? null;

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Files of which the bundler wrote at least one byte. */
const writtenIn = ({ outputs }) =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([file]) => file),
  );

/**
 * The packages of one or more programs.
 * @param repository the directory to which the bundler's paths are relative
 */
export class Packages {
  /** Directories of packages, each with the directories of the packages that it imports. */
  edges = new Map();
  /** Directories of the packages that our own code imports, or that are copied beside the programs. */
  roots = new Set();

  constructor(repository) {
    this.repository = repository;
  }

  addBundle(metafile) {
    const written = new Set(writtenIn(metafile).filter((file) => file in metafile.inputs));
    for (const file of written)
      for (const { path, external } of metafile.inputs[file].imports)
        if (!external && written.has(path)) this.#connect(directoryOf(file), directoryOf(path));
  }

  /** A package that is copied whole or in part. */
  addCopied(directory) {
    this.#connect(null, relative(this.repository, directory).split(sep).join('/'));
  }

  /** The packages of a browser's program, from its source maps. */
  addSourceMaps(directory) {
    const maps = readdirSync(directory, { recursive: true }).filter((name) => name.endsWith('.map'));
    for (const map of maps.map((name) => join(directory, name))) {
      const files = readJson(map).sources.map((source) => relative(this.repository, resolve(dirname(map), source)));
      for (const file of files) this.#connect(null, directoryOf(file));
    }
  }

  #connect(from, to) {
    if (to === null || from === to) return;
    if (!this.edges.has(to)) this.edges.set(to, new Set());
    if (from === null) this.roots.add(to);
    else this.edges.set(from, (this.edges.get(from) ?? new Set()).add(to));
  }

  /** Name, version, licence and checksum of each package, with what it imports. */
  list() {
    const lock = join(this.repository, 'node_modules/.package-lock.json');
    const locked = existsSync(lock) ? readJson(lock).packages : {};
    return [...this.edges.keys()].sort().map((directory) => {
      const { name, version, license } = readJson(join(this.repository, directory, 'package.json'));
      return {
        directory,
        name,
        version,
        license: typeof license === 'object' ? license.type : license,
        integrity: locked[directory]?.integrity,
        imports: [...this.edges.get(directory)].sort(),
        isRoot: this.roots.has(directory),
      };
    });
  }
}
