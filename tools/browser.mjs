import { execFileSync, spawnSync } from 'node:child_process';

const has = (program) => spawnSync('which', [program], { stdio: 'ignore' }).status === 0;

/**
 * Installs a browser for the tests of the pages from the distribution's packages, if root. Without a browser those
 * tests are skipped with a message.
 */
export function provideBrowser() {
  if (process.env['CHROMIUM_PATH'] || ['chromium', 'chromium-browser', 'google-chrome'].some(has)) return;
  if (process.platform !== 'linux' || process.getuid() !== 0 || !has('apt-get')) return;
  process.stdout.write('installing chromium for the tests of the pages\n');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { stdio: 'ignore', env });
  } catch {
    process.stdout.write('chromium could not be installed; the tests of the pages will be skipped\n');
  }
}
