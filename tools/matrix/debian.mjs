import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail } from '../bootstrap.mjs';

// Programs of another Debian release, unpacked into a directory: neither root nor an installation is needed. They run with
// the libraries of their own release.

const ARCHIVE = 'http://deb.debian.org/debian';
const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** Servers need no interpreter, no compiler and no account tools. */
const NEEDED = /^(lib(?!llvm|perl|z3)|zlib1g$|pgbouncer$|postgresql-(client-)?\d)/;

function run(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (status !== 0) fail(`${command} ${args[0]}: ${stderr.trim().split('\n').at(-1)}`);
  return stdout;
}

/** apt with lists of its own, for which no package is installed. */
function privateApt(directory, release) {
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
  writeFileSync(join(directory, 'apt.conf'), `${lines.join('\n')}\n`);
  const env = { ...process.env, APT_CONFIG: join(directory, 'apt.conf') };
  return (...args) => run('apt-get', args, { cwd: join(directory, 'debs'), env });
}

/** The packages that a package needs, itself included. */
function closureOf(apt, name) {
  const uris = apt('install', '--print-uris', '--yes', '--no-install-recommends', name);
  const names = [...uris.matchAll(/^'[^']*\/([^_/']+)_/gm)].map(([, found]) => decodeURIComponent(found));
  return names.filter((found) => NEEDED.test(found));
}

/** Puts a script in the place of a program that runs it with the linker and libraries of its release. */
function withOwnLibraries(program, libraries) {
  const real = join(dirname(program), `.${basename(program)}`);
  renameSync(program, real);
  const [linker] = readdirSync(libraries).filter((name) => /^ld-linux.*\.so/.test(name));
  const call = `exec ${join(libraries, linker)} --library-path ${libraries} --argv0 ${program} ${real} "$@"`;
  writeFileSync(program, `#!/bin/sh\n${call}\n`);
  chmodSync(program, 0o755);
}

/**
 * Unpacks a package and what it needs, once. @param programs paths inside the packages, made runnable
 * @returns the directory, like the root of a system
 */
export function unpacked(cache, { release, name, programs }) {
  const root = join(cache, `${release}-${name}`);
  if (existsSync(root)) return root;
  const work = `${root}.${process.pid}`;
  const draft = join(work, 'root');
  const apt = privateApt(work, release);
  apt('update');
  apt('download', ...closureOf(apt, name));
  for (const file of readdirSync(join(work, 'debs'))) run('dpkg-deb', ['-x', join(work, 'debs', file), draft]);
  renameSync(draft, root);
  rmSync(work, { recursive: true });
  const [machine] = readdirSync(join(root, 'usr/lib')).filter((entry) => entry.includes('-linux-'));
  for (const program of programs) withOwnLibraries(join(root, program), join(root, 'usr/lib', machine));
  return root;
}
