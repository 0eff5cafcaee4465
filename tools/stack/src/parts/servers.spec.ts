import { describe, expect, it } from '@jest/globals';
import { findNats } from './nats.ts';
import { findRedis } from './redis.ts';

describe('the servers on macOS', () => {
  it('are those that Homebrew has installed, and nothing is fetched', async () => {
    expect(await findNats(nothing, inHomebrew, neverFetched)).toBe('/opt/homebrew/bin/nats-server');
    expect(await findRedis(nothing, inHomebrew, neverFetched)).toEqual({ program: '/opt/homebrew/bin/redis-server' });
  });

  it('are named with the command that installs them when they are missing', async () => {
    await expect(findNats(nothing, nothing, noPackages)).rejects.toThrow(
      /^nats-server was not found: set NATS_URL .*macOS: brew install nats-server;/,
    );
    await expect(findRedis(nothing, nothing, noPackages)).rejects.toThrow(
      /^redis-server was not found: set REDIS_URL .*macOS: brew install redis;/,
    );
  });
});

const nothing = (): undefined => undefined;
const noPackages = (): Promise<undefined> => Promise.resolve(undefined);
const inHomebrew = (program: string): string => `/opt/homebrew/bin/${program}`;

function neverFetched(): never {
  throw new Error('nothing is to be fetched');
}
