import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../bootstrap.mjs';

// Packages of npm for another system, which `npm ci` leaves out here.

function run(command, args, directory) {
  const { status, stderr } = spawnSync(command, args, { cwd: directory, encoding: 'utf8' });
  if (status !== 0) fail(`${command} ${args.join(' ')}: ${stderr.trim().split('\n').at(-1)}`);
}

/**
 * Unpacks a version of a package as npm does.
 * @param integrity the hash in the lock file
 * @returns its directory, below `home` where Node looks for it
 */
export function unpackedPackage(home, { name, version, integrity }) {
  const root = join(home, 'node_modules', name);
  if (existsSync(root)) return root;
  mkdirSync(root, { recursive: true });
  const before = new Set(readdirSync(home));
  run('npm', ['pack', '--silent', `${name}@${version}`], home);
  const archive = join(
    home,
    readdirSync(home).find((file) => !before.has(file)),
  );
  if (integrity && `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}` !== integrity)
    fail(`${name}@${version} is not what the lock file names`);
  run('tar', ['-xzf', archive, '-C', root, '--strip-components=1', '--no-same-owner']);
  return root;
}
