import { Api } from '@gatehouse/stack';
import startTestBacking from '@gatehouse/testing/global-setup';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invitationIn, type SharedWorld, startWorld, until, type World } from './world.ts';

const SETTING = 'GATEHOUSE_TEST_SHARED_WORLD';
/** A third of the life of an access token: no suite that shares the product takes longer than the rest. */
const FRESH_MS = 300_000;

type Facts = SharedWorld['product'] & { readonly postgres: string; readonly accessToken: string | null };

/** One product for the suites that break nothing, started for the first of them. */
class Host {
  private readonly world: Promise<World> = startWorld();
  private session: Promise<Api> = this.world.then(({ admin }) => admin);
  private signedInAt = Date.now();

  async facts(): Promise<Facts> {
    const { product, backing } = await this.world;
    const { baseUrl, directory, endpoints, administrator } = product;
    if (Date.now() - this.signedInAt > FRESH_MS) {
      this.signedInAt = Date.now();
      this.session = until(() => new Api(baseUrl).signIn(administrator), 90);
    }
    const { accessToken } = await this.session;
    return { baseUrl, directory, endpoints, administrator, postgres: backing.postgres.url, accessToken };
  }

  async stop(): Promise<void> {
    await (await this.world).stop();
  }
}

/** The set-up of the end-to-end tests: their servers, and the product that suites share, if one asks for it. */
export default async function startShared(): Promise<void> {
  const kept = await startTestBacking();
  let host: Host | undefined;
  const server = createServer((_, answer) => {
    host ??= new Host();
    host.facts().then(
      (facts) => answer.end(JSON.stringify(facts)),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[SETTING] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  kept.guests.push(async () => {
    server.close();
    await host?.stop();
  });
}

/** The product that suites share: each makes tenants of its own, and changes nothing of the whole installation. */
export async function sharedWorld(): Promise<SharedWorld> {
  const answer = await fetch(process.env[SETTING] ?? '', { headers: { connection: 'close' } });
  if (!answer.ok) throw new Error(`the shared product did not start: ${await answer.text()}`);
  const { postgres, accessToken, ...product } = (await answer.json()) as Facts;
  return {
    product,
    backing: { postgres: { url: postgres } },
    admin: new Api(product.baseUrl, accessToken),
    invitationFor: async (email) => invitationIn(product, email),
  };
}
