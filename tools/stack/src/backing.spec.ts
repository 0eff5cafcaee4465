import { afterEach, describe, expect, it } from '@jest/globals';
import { tmpdir } from 'node:os';
import { startPart, URL_SETTINGS } from './backing.ts';
import { StackError } from './stack-error.ts';

describe('a server that the environment names', () => {
  afterEach(() => {
    for (const setting of Object.values(URL_SETTINGS)) delete process.env[setting];
  });

  it.each([
    ['postgres', 'localhost'],
    ['postgres', 'mysql://localhost'],
    ['nats', 'localhost:4222'],
    ['redis', 'redis://'],
  ] as const)('is refused by its setting when its address is none: %s at %s', async (part, address) => {
    process.env[URL_SETTINGS[part]] = address;
    await expect(startPart(part, settings)).rejects.toThrow(
      new StackError(`${URL_SETTINGS[part]} must be a ${part}:// address`),
    );
  });

  it.each([
    ['postgres', 'postgresql://u:p@localhost/x'],
    ['nats', 'tls://a:4222,tls://b:4222'],
    ['redis', 'rediss://cache.example'],
  ] as const)('is used as it is: %s at %s', async (part, address) => {
    process.env[URL_SETTINGS[part]] = address;
    expect((await startPart(part, settings)).url).toBe(address);
  });
});

const settings = { directory: tmpdir(), ephemeral: true, log: () => undefined };
