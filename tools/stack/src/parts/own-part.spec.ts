import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PidDirectory } from '../pid-record.ts';
import { OwnPart } from './own-part.ts';

describe('a server of ours', () => {
  afterAll(() => rmSync(directory, { recursive: true }));

  it('runs anew when it is started right after it was stopped, however late its end is heard of', async () => {
    const part = new OwnPart(
      {
        name: 'sleeper',
        url: '',
        program: 'sleep',
        args: ['60'],
        stopSignal: 'SIGTERM',
        answers: () => Promise.resolve(),
      },
      new PidDirectory(join(directory, 'pids')),
      directory,
    );
    await part.start();
    const first = part.pid;
    // From here node runs its timers before it handles ended child processes.
    await new Promise((resolve) => setImmediate(resolve));
    const stopping = part.stop();
    holdUp(60);
    await stopping;
    expect(part.pid).toBeUndefined();
    await part.start();
    expect(part.pid).toEqual(expect.any(Number));
    expect(part.pid).not.toBe(first);
    await part.stop();
  });

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-part-'));
});

/** Blocks the event loop for a while, as on a busy machine. */
function holdUp(ms: number): void {
  for (const until = Date.now() + ms; Date.now() < until;);
}
