import { startBacking } from '@gatehouse/stack';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestBroker {
  readonly url: string;
  /** Ends the server at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port with the same streams. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A broker of the suite's own, so that its streams hold nothing of others and it may be killed. */
export async function startTestBroker(): Promise<TestBroker> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-test-broker-'));
  const backing = await startBacking({ directory, ephemeral: true, only: ['nats'], log: () => undefined });
  return {
    url: backing.nats.url,
    kill: () => backing.nats.kill('SIGKILL'),
    start: () => backing.nats.start(),
    stop: async () => {
      await backing.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
