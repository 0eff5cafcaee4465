import { keepProvisioned, provisionBroker } from '@gatehouse/messaging';
import { brokerUrlOf, startBacking } from '@gatehouse/stack';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestBroker {
  /** The address with the administrator's login. */
  readonly url: string;
  /** The address with the login and the permissions of one service. */
  urlOf(service: string): string;
  /** Kills the server, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same streams. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a dedicated broker for the suite, so that its streams hold only the suite's events and a test may kill it. As
 * in the product, each service logs in as itself.
 */
export async function startTestBroker(): Promise<TestBroker> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-broker-'));
  const backing = await startBacking({ directory, ephemeral: true, only: ['nats'], log: () => undefined });
  const { url } = backing.nats;
  await provisionBroker(url, { filtered: true });
  const provisioning = new AbortController();
  const kept = keepProvisioned(url, { end: provisioning.signal, report: () => undefined, everyMs: 500 });
  return {
    url,
    urlOf: (service) => brokerUrlOf(url, service),
    kill: () => backing.nats.kill('SIGKILL'),
    start: () => backing.nats.start(),
    stop: async () => {
      provisioning.abort();
      await kept;
      await backing.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
