import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail } from '../bootstrap.mjs';

// Programs of another Debian release, unpacked into a directory: neither root nor an installation is needed. They run
// with the libraries of their own release.

const ARCHIVE = 'http://deb.debian.org/debian';
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** Servers need no interpreter, no compiler and no account tools. */
const NEEDED = /^(lib(?!llvm|perl|z3)|zlib1g$|pgbouncer$|redis-tools$|postgresql-(client-)?\d)/;

function run(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) fail(`${command} ${args[0]}: ${stderr.trim().split('\n').at(-1)}`);
  return stdout;
}

/** apt with lists of its own, for which no package is installed. */
function privateApt(directory, release, architecture) {
  for (const part of ['lists/partial', 'cache/archives/partial', 'debs'])
    mkdirSync(join(directory, part), { recursive: true });
  writeFileSync(join(directory, 'status'), '');
  writeFileSync(join(directory, 'sources.list'), `deb [signed-by=${KEYS}] ${ARCHIVE} ${release} main\n`);
  const lines = [
    `Dir::State::Lists "${directory}/lists";`,
    `Dir::State::status "${directory}/status";`,
    `Dir::Cache "${directory}/cache";`,
    `Dir::Etc::SourceList "${directory}/sources.list";`,
    'Dir::Etc::SourceParts "/dev/null";',
    'APT::Sandbox::User "root";',
  ];
  if (architecture) lines.push(`APT::Architecture "${architecture}";`, `APT::Architectures { "${architecture}"; };`);
  writeFileSync(join(directory, 'apt.conf'), `${lines.join('\n')}\n`);
  const env = { ...process.env, APT_CONFIG: join(directory, 'apt.conf') };
  return (...args) => run('apt-get', args, { cwd: join(directory, 'debs'), env });
}

/** The packages that a package needs, itself included. */
function closureOf(apt, name) {
  const uris = apt('install', '--print-uris', '--yes', '--no-install-recommends', name);
  const names = [...uris.matchAll(/^'[^']*\/([^_/']+)_/gm)].map(([, found]) => decodeURIComponent(found));
  return names.filter((found) => found === name || NEEDED.test(found));
}

/** Puts a script in the place of a program, once, that runs it with the linker and libraries of its release. */
function withOwnLibraries(program, libraries) {
  const real = join(dirname(program), `.${basename(program)}`);
  if (existsSync(real)) return;
  renameSync(program, real);
  const [linker] = readdirSync(libraries).filter((name) => /^ld-linux.*\.so/.test(name));
  const call = `exec ${join(libraries, linker)} --library-path ${libraries} --argv0 ${program} ${real} "$@"`;
  writeFileSync(program, `#!/bin/sh\n${call}\n`);
  chmodSync(program, 0o755);
}

/**
 * Unpacks a package and what it needs, once.
 * @param architecture another one than that of this system
 * @returns the directory, like the root of a system
 */
export function unpackedTree(cache, { release, name, architecture }) {
  const root = join(cache, [release, name, architecture].filter(Boolean).join('-'));
  if (existsSync(root)) return root;
  const work = `${root}.${process.pid}`;
  const draft = join(work, 'root');
  const apt = privateApt(work, release, architecture);
  apt('update');
  apt('download', ...closureOf(apt, name));
  for (const file of readdirSync(join(work, 'debs'))) run('dpkg-deb', ['-x', join(work, 'debs', file), draft]);
  // Until Debian 12 the C library lies in /lib; later everything is in /usr/lib.
  if (existsSync(join(draft, 'lib')))
    cpSync(join(draft, 'lib'), join(draft, 'usr/lib'), { recursive: true, verbatimSymlinks: true });
  else symlinkSync('usr/lib', join(draft, 'lib'));
  renameSync(draft, root);
  rmSync(work, { recursive: true });
  return root;
}

/** The directory of the shared libraries, named for the machine. */
export function librariesOf(root) {
  const [machine] = readdirSync(join(root, 'usr/lib')).filter((entry) => entry.includes('-linux-'));
  return join(root, 'usr/lib', machine);
}

/** The same for this system. @param programs paths inside the packages, made runnable */
export function unpacked(cache, { release, name, programs }) {
  const root = unpackedTree(cache, { release, name });
  for (const program of programs) withOwnLibraries(join(root, program), librariesOf(root));
  return root;
}
