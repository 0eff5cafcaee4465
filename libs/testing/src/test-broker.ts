import { keepProvisioned, provisionBroker } from '@gatehouse/messaging';
import { brokerUrlOf, startBacking } from '@gatehouse/stack';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestBroker {
  /** With the administrator's login. */
  readonly url: string;
  /** With the login of one service, which may do there what that service may. */
  urlOf(service: string): string;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same streams. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A broker of the suite's own, so that its streams hold nothing of others and it may be killed. As with the product,
 * each service logs in as itself.
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
