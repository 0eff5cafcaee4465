import { connected, type RunningProduct } from '@gatehouse/stack';
import { startChild } from './child.ts';
import { drive, type Driven } from './drive.ts';
import { repeated } from './options.ts';
import type { OidcProvider } from './people.ts';
import { costSince, cpuUse, secondsOf } from './processes.ts';
import { untilQuiet } from './product.ts';
import { signInThroughProvider } from './sign-ins.ts';
import { adminUrl } from './statements.ts';

const TABLES = `
  CREATE TABLE bench_attempts (state text PRIMARY KEY, nonce text NOT NULL, verifier text NOT NULL);
  CREATE TABLE bench_people (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), subject text UNIQUE, seen_at timestamptz);
  CREATE TABLE bench_sessions (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), person_id uuid NOT NULL,
    code_hash text UNIQUE, refresh_hash text UNIQUE);
  CREATE TABLE bench_events (id bigserial PRIMARY KEY, subject text NOT NULL, envelope jsonb NOT NULL)`;

export interface BareRun {
  readonly driven: Driven;
  /** CPU milliseconds of one sign-in: the server's and PostgreSQL's. */
  readonly cpuMs: number;
}

export interface BareOptions {
  readonly product: RunningProduct;
  readonly provider: OidcProvider;
  readonly clients: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly warmUpSeconds: number;
}

/** The same sign-ins at the smallest server that can do them, on the PostgreSQL of the product, which rests. */
export async function bareSignIns(options: BareOptions): Promise<BareRun[]> {
  const { product, provider, clients, seconds, rounds, warmUpSeconds } = options;
  const database = adminUrl(product, 'identity');
  await connected(database, (client) => client.query(TABLES));
  const { issuer, clientId, clientSecret } = provider;
  const bare = await startChild<{ url: string }>('./bare-login-child.js', [database, issuer, clientId, clientSecret]);
  const once = (client: number): Promise<unknown> =>
    signInThroughProvider({ baseUrl: bare.ready.url, orgId: 'any', email: `ada+${client}@acme.example` });
  try {
    await drive({ seconds: warmUpSeconds, clients, once });
    return await repeated(rounds, async () => {
      await untilQuiet(product);
      const [before, own] = [cpuUse(product), secondsOf(bare.pid)];
      const driven = await drive({ seconds, clients, once });
      const { postgres } = costSince(product, before, driven.answered);
      return { driven, cpuMs: postgres + ((secondsOf(bare.pid) - own) * 1000) / Math.max(1, driven.answered) };
    });
  } finally {
    await bare.stop();
  }
}
