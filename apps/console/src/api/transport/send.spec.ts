import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { askAhead, send } from './send.ts';

beforeEach(() => {
  jest.useFakeTimers();
  fetched.mockReset().mockImplementation(async () => Response.json({ requests: [] }));
  globalThis.fetch = fetched;
});

afterEach(() => {
  jest.useRealTimers();
  globalThis.fetch = original;
});

describe('an answer that was asked for ahead', () => {
  it('is taken by the first equal request, and by no other', async () => {
    askAhead('/auth/me');
    await send(new Request(`${ME}?other=1`));
    expect(fetched).toHaveBeenCalledTimes(2);
    await send(new Request(ME));
    expect(fetched).toHaveBeenCalledTimes(2);
    await send(new Request(ME));
    expect(fetched).toHaveBeenCalledTimes(3);
  });

  it('is no answer to a change', async () => {
    askAhead('/auth/me');
    await send(new Request(ME, { method: 'POST' }));
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it('is asked for anew after ten seconds', async () => {
    askAhead('/auth/me');
    jest.advanceTimersByTime(10_000);
    await send(new Request(ME));
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  it('fails for its taker alone, and the next request is sent', async () => {
    fetched.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    askAhead('/auth/me');
    await expect(send(new Request(ME))).rejects.toThrow('Failed to fetch');
    await expect(send(new Request(ME))).resolves.toHaveProperty('ok', true);
  });
});

const ME = `${location.origin}/api/v1/auth/me`;
const fetched = jest.fn<typeof fetch>();
const original = globalThis.fetch;
