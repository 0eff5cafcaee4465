import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from './observability/logging.ts';
import { untilAvailable } from './platform.ts';

describe('a step of the start', () => {
  afterEach(() => void step.mockReset());

  it('is repeated while the database cannot serve it', async () => {
    step.mockRejectedValueOnce(LOCKED).mockResolvedValueOnce('done');
    expect(await untilAvailable(log, step)).toBe('done');
    expect(step).toHaveBeenCalledTimes(2);
  });

  it('fails at once with an error that does not pass by itself', async () => {
    step.mockRejectedValue(REFUSED);
    await expect(untilAvailable(log, step)).rejects.toBe(REFUSED);
    expect(step).toHaveBeenCalledTimes(1);
  });

  const step = jest.fn<() => Promise<string>>();
});

const log = createLogger('test', 'silent');
const LOCKED = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
const REFUSED = Object.assign(new Error('relation "users" does not exist'), { code: '42P01' });
