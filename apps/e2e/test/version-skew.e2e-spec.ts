import { startBacking, type Backing, freePort } from '@gatehouse/stack';
import { Fleet } from '@gatehouse/testing/fleet';
import { buildRelease, previousRevision } from '@gatehouse/testing/previous-release';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RATE_LIMITS } from './world.ts';

const REPOSITORY = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
/** Each of these services publishes events that some of the others use, and the reverse. */
const HALF = ['identity', 'pam', 'audit'];

const revision = previousRevision();
if (!revision)
  process.stderr.write(
    'SKIPPED: the history of this checkout does not reach to an earlier version, so old and new services are not run together\n',
  );

(revision ? describe : describe.skip)(
  'the services of the version before, on databases that this version has migrated',
  () => {
    let directory: string;
    let backing: Backing;
    let previous: string;
    let provider: ChildProcess;
    let providerUrl: string;
    let fleet: Fleet;

    beforeAll(async () => {
      directory = mkdtempSync(join(tmpdir(), 'gatehouse-skew-'));
      [previous, backing] = await Promise.all([
        buildRelease(revision ?? ''),
        startBacking({ directory, ephemeral: true, log: () => undefined }),
      ]);
      const address = `127.0.0.1:${await freePort()}`;
      providerUrl = `http://${address}`;
      provider = spawn(process.execPath, [join(REPOSITORY, 'tools/dev-idp/dist/main.js')], {
        env: { ...process.env, NODE_OPTIONS: '', DEV_IDP_PORT: address.split(':')[1] },
        stdio: 'ignore',
      });
      const settings = { RATE_LIMITS, NODE_ENV: 'development', EGRESS_ALLOW_HOSTS: address, EGRESS_ALLOW_HTTP: 'true' };
      fleet = await Fleet.start({ backing, replicas: 1, lagMs: 0, settings, checkout: previous });
    }, 400_000);
    afterAll(async () => {
      await fleet?.stop();
      provider?.kill();
      await backing?.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    /**
     * Runs `npm run demo` of a checkout against the fleet. The demonstration checks refusals too, so it must be of the
     * version that identity runs.
     *
     * @returns its output when it failed
     */
    function demonstration(checkout: string): Promise<string | null> {
      const { email, password, totpSecret } = fleet.administrator;
      const settings = {
        BASE_URL: fleet.baseUrl,
        DEV_IDP_URL: providerUrl,
        MAIL_DIR: join(fleet.directory, 'mail'),
        BOOTSTRAP_ADMIN_EMAIL: email,
        BOOTSTRAP_ADMIN_PASSWORD: password,
        BOOTSTRAP_ADMIN_TOTP_SECRET: totpSecret,
      };
      return new Promise((resolve) => {
        execFile(
          process.execPath,
          [join(checkout, 'tools/demo/dist/main.js')],
          { env: { ...process.env, NODE_OPTIONS: '', ...settings }, timeout: 170_000 },
          (error, stdout, stderr) => resolve(error ? `${stdout}\n${stderr}` : null),
        );
      });
    }

    async function run(services: readonly string[], checkout: string): Promise<void> {
      await Promise.all(
        services.flatMap((service) => fleet.replicasOf(service)).map((replica) => fleet.restart(replica, checkout)),
      );
      await fleet.whole();
    }

    it('walk the whole journey: a release can be taken back', async () => {
      expect(await demonstration(previous)).toBeNull();
    }, 200_000);

    it('work together with new ones: half of the services new, then the other half', async () => {
      await run(HALF, REPOSITORY);
      expect(await demonstration(REPOSITORY)).toBeNull();
      await Promise.all([
        run(HALF, previous),
        run(
          [...fleet.balancers.keys()].filter((service) => !HALF.includes(service)),
          REPOSITORY,
        ),
      ]);
      expect(await demonstration(previous)).toBeNull();
    }, 500_000);
  },
);
