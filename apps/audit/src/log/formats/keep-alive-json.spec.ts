import { describe, expect, it } from '@jest/globals';
import { StreamableFile } from '@nestjs/common';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { keepAliveJson } from './keep-alive-json.ts';

describe('an answer that may take long', () => {
  it('is an ordinary answer, or an ordinary refusal, when it is ready in time', async () => {
    expect(await keepAliveJson(slowly(0), 5_000)).toEqual({ valid: true });
    await expect(keepAliveJson(() => Promise.reject(new Error('refused')), 5_000)).rejects.toThrow('refused');
  });

  it('is white space until it is ready, and reads as the same JSON', async () => {
    const streamed = await streamOf(keepAliveJson(slowly(200), QUIET_MS));
    expect(streamed.getHeaders().type).toContain('application/json');
    const body = await text(streamed.getStream());
    expect(body).toMatch(/^ +\{/);
    expect(JSON.parse(body)).toEqual({ valid: true });
  });

  it('breaks off when it fails late', async () => {
    const streamed = await streamOf(
      keepAliveJson(() => wait(60).then(() => Promise.reject(new Error('broken'))), QUIET_MS),
    );
    await expect(text(streamed.getStream())).rejects.toThrow('broken');
  });

  it('is not worked on any more when the client has left', async () => {
    let signal: AbortSignal | null = null;
    const streamed = await streamOf(
      keepAliveJson((given) => {
        signal = given;
        return new Promise(() => undefined);
      }, QUIET_MS),
    );
    const stream = streamed.getStream();
    stream.resume();
    await wait(50);
    stream.destroy();
    await wait(300);
    expect(signal).toMatchObject({ aborted: true });
  });

  it('is not worked on any more either when the client had left before the first blank', async () => {
    let signal: AbortSignal | null = null;
    const streamed = await streamOf(
      keepAliveJson((given) => {
        signal = given;
        return new Promise(() => undefined);
      }, QUIET_MS),
    );
    streamed.getStream().destroy();
    await wait(300);
    expect(signal).toMatchObject({ aborted: true });
  });
});

const QUIET_MS = 20;
const slowly = (ms: number) => async (): Promise<{ valid: boolean }> => {
  await wait(ms);
  return { valid: true };
};

async function streamOf(answer: Promise<object>): Promise<StreamableFile> {
  const made = await answer;
  if (!(made instanceof StreamableFile)) throw new Error('it was answered at once');
  return made;
}
