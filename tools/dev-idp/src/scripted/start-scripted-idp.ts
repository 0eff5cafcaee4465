import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../start-dev-idp.ts';
import { readForm } from '../sign-in-page.ts';
import {
  type Claims,
  type Endpoint,
  ENDPOINTS,
  type IdTokenScript,
  mintIdToken,
  newKeyPair,
  newSigningKeys,
  publicPem,
  type Reply,
  type Script,
  ScriptBook,
} from './id-token.ts';
import { REGULAR, type Answer, type Request, type World } from './regular-answers.ts';

export interface ScriptedIdpOptions {
  readonly port?: number;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly identity?: Claims;
}

export interface ScriptedIdp {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Claims of the person whom the next authorization signs in; they go into the ID token and into userinfo. */
  identity: Claims;
  /** Requests per endpoint since the start or `clear()`. */
  readonly hits: Readonly<Record<Endpoint, number>>;
  readonly requests: readonly Request[];
  /** From now on, until `clear()`. */
  always(script: Script): void;
  /** For the next request (or ID token) of each part named; several calls queue up. */
  once(script: Script): void;
  /** Forgets scripts, hits and requests; keys, codes and tokens stay. */
  clear(): void;
  /** Replaces both signing keys, under new key ids. */
  rotateKeys(): void;
  publicKeyPem(): string;
  /** A JWT of the provider over these claims, for answers other than the ID token. */
  sign(claims: Claims, script?: IdTokenScript): Promise<string>;
  stop(): Promise<void>;
}

const PATHS: Record<string, Endpoint> = {
  '/.well-known/openid-configuration': 'discovery',
  '/jwks': 'jwks',
  '/authorize': 'authorize',
  '/token': 'token',
  '/userinfo': 'userinfo',
};

const SCRIPTED_PERSON: Claims = {
  sub: 'scripted-1',
  email: 'person@acme.example',
  email_verified: true,
  name: 'Scripted Person',
};

const noHits = () => Object.fromEntries(ENDPOINTS.map((endpoint) => [endpoint, 0])) as Record<Endpoint, number>;

/**
 * A hand-written OpenID provider that signs everybody in without a page and misbehaves on request.
 * @example idp.once({ idToken: { alg: 'none' } }); idp.always({ userinfo: { delayMs: 10_000 } });
 */
export async function startScriptedIdp(options: ScriptedIdpOptions = {}): Promise<ScriptedIdp> {
  const door = await listen(options.port ?? 0);
  const client = { id: options.clientId ?? 'gatehouse', secret: options.clientSecret ?? 'scripted-secret' };
  const identity = options.identity ?? SCRIPTED_PERSON;
  const world: World = {
    issuer: door.url,
    client,
    identity,
    book: new ScriptBook(),
    keys: newSigningKeys(),
    codes: new Map(),
    accessTokens: new Map(),
  };
  const requests: Request[] = [];
  const hits = noHits();
  door.answerWith((incoming, response) => {
    serve(world, incoming, response, (request) => {
      requests.push(request);
      hits[request.endpoint] += 1;
    }).catch(() => response.destroy());
  });
  return {
    issuer: door.url,
    clientId: client.id,
    clientSecret: client.secret,
    get identity() {
      return world.identity;
    },
    set identity(claims) {
      world.identity = claims;
    },
    hits,
    requests,
    always: (script) => world.book.always(script),
    once: (script) => world.book.once(script),
    clear: () => {
      world.book.clear();
      requests.length = 0;
      Object.assign(hits, noHits());
    },
    rotateKeys: () => void (world.keys.own = newKeyPair()),
    publicKeyPem: () => publicPem(world.keys),
    sign: (claims, script = {}) => mintIdToken(claims, script, world.keys, client.secret),
    stop: door.stop,
  };
}

async function serve(
  world: World,
  incoming: IncomingMessage,
  response: ServerResponse,
  note: (request: Request) => void,
): Promise<void> {
  const { pathname, searchParams } = new URL(incoming.url ?? '/', world.issuer);
  const endpoint = PATHS[pathname];
  if (!endpoint) return void response.writeHead(404).end();
  const request = { endpoint, query: searchParams, headers: incoming.headers, form: await readForm(incoming) };
  note(request);
  const reply = world.book.take(endpoint) ?? {};
  if (reply.reset) return void incoming.socket.resetAndDestroy();
  if (reply.hang) return;
  if (reply.delayMs) await sleep(reply.delayMs);
  await send(response, request, reply, await REGULAR[endpoint](world, request));
}

async function send(
  response: ServerResponse,
  { endpoint, query }: Request,
  reply: Reply,
  regular: Answer,
): Promise<void> {
  const body = reply.body ? await reply.body(regular.body) : regular.body;
  if (endpoint === 'authorize' && !reply.status) {
    return void response.writeHead(302, { location: wayBack(query, body), ...reply.headers }).end();
  }
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(reply.status ?? regular.status, { 'content-type': 'application/json', ...reply.headers });
  response.end(raw ? body : JSON.stringify(body));
}

function wayBack(query: URLSearchParams, body: unknown): string {
  const url = new URL(query.get('redirect_uri') ?? 'http://missing.invalid/');
  for (const [name, value] of Object.entries(body ?? {})) {
    if (value !== undefined) url.searchParams.append(name, String(value));
  }
  return url.href;
}
