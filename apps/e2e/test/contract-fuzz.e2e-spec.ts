import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { Callers } from './fuzz/callers.ts';
import { type Route, routesIn } from './fuzz/contract.ts';
import { contracts, schemas } from './fuzz/contracts.ts';
import { rankOf, requestsFor, sent, type Things } from './fuzz/requests.ts';
import { faultsIn, wronglyAccepted } from './fuzz/verdict.ts';
import { tenantThings } from './tenant-things.ts';
import { makeTenant, startWorld, type World } from './world.ts';

/** The requests of each operation; the thorough run has 200. */
const CASES = Number(process.env['CONTRACT_FUZZ_CASES'] ?? '10');

const routes = contracts.flatMap(routesIn).sort((one, other) => rankOf(one) - rankOf(other));

describe('the contract, with generated requests to every operation', () => {
  let world: World;
  let callers: Callers;
  let things: Things;
  beforeAll(async () => {
    world = await startWorld({ RATE_LIMITS: NO_LIMITS });
    const tenant = await makeTenant(world.admin);
    callers = await Callers.of(world, tenant);
    things = await tenantThings(world, tenant);
  }, 240_000);
  afterAll(() => world.stop(), 60_000);

  it.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'names every answer: %s',
    async (_, route: Route) => {
      const property = fc.asyncProperty(requestsFor(route, schemas, things), async (request) => {
        const token = await callers.tokenFor(route, request.caller);
        const answer = await sent(world.product.baseUrl, route, request, token);
        const isJson = request.media === '' && route.body?.type === 'application/json';
        expect([
          ...faultsIn(answer, route, schemas),
          ...(isJson ? wronglyAccepted(answer, request.body, route, schemas) : []),
        ]).toEqual([]);
      });
      await fc.assert(property, { numRuns: CASES, seed: SEED, endOnFailure: true });
    },
    120_000 + CASES * 2_000,
  );

  it('IDY-161: answers every method at every address, whatever the client accepts, with less than 500', async () => {
    const paths = [...new Set(routes.map(({ path }) => path.replaceAll(/\{\w+\}/g, randomUUID())))];
    const faults: string[] = [];
    for (const [turn, path] of [...paths, '/nothing', '/api/v1/nothing', '/login', '/docs'].entries()) {
      // Each address gets every method, and in turn each method every kind of client.
      const sends = METHODS.map((method, at) => ({ method, accept: ACCEPTS[(turn + at) % ACCEPTS.length]! }));
      const statuses = await Promise.all(
        sends.map(async ({ method, accept }) => {
          const init = { method, headers: { accept }, redirect: 'manual' } as const;
          const { status, body } = await fetch(`${world.product.baseUrl}${path}`, init);
          await body?.cancel();
          return status;
        }),
      );
      for (const [at, { method, accept }] of sends.entries())
        if (statuses[at]! >= 500) faults.push(`${method} ${path} with ${accept}: ${statuses[at]}`);
    }
    expect(faults).toEqual([]);
  }, 300_000);
});

/** A failure names the seed, which repeats it. */
const SEED = Number(process.env['CONTRACT_FUZZ_SEED'] ?? process.env['GATEHOUSE_SEED']);
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ACCEPTS = ['text/html', '*/*', 'application/json, text/html;q=0.5', 'image/png', 'text/html;q=0, */*;q=x'];
const NO_LIMITS = ['signInByClient', 'signInByAccount', 'mfa', 'ssoStart', 'discovery', 'loginContext']
  .map((name) => `${name}=100000/300`)
  .join();
