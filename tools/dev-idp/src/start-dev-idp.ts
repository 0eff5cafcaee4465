import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEMO_USERS, type DevUser, userByEmail } from './dev-users.ts';
import { type DevClient, devOidc, interact, isInteraction } from './oidc/dev-oidc.ts';

export const DEMO_CLIENT_ID = 'gatehouse';
export const DEMO_CLIENT_SECRET = 'gatehouse-dev-secret';

export interface DevIdpOptions {
  /** Default 0: any free port. */
  port?: number;
  /** Default: the address it listens on. */
  issuer?: string;
  /** Default: the two demo users. A test may change the array of the running provider at any time. */
  users?: DevUser[];
  /** In addition to the demo client. */
  clients?: DevClient[];
  /** Secret of the demo client. */
  clientSecret?: string;
  /** Signs the person of `login_hint` in at once, without a page and without a cookie. */
  autoLogin?: boolean;
  /** Who that is without a `login_hint`; default the first user. */
  defaultUser?: string;
  /** Default: `/api/v1/sso/callback` on any port of this machine. */
  redirectUriAllowed?: (uri: string) => boolean;
}

export interface DevIdp {
  readonly issuer: string;
  readonly url: string;
  readonly users: DevUser[];
  readonly clientId: string;
  readonly clientSecret: string;
  stop(): Promise<void>;
}

/**
 * A real OpenID provider on loopback, for tests and for trying sign-in.
 * @example const idp = await startDevIdp({ autoLogin: true }); // then use idp.issuer, idp.clientId, idp.clientSecret
 */
export async function startDevIdp(options: DevIdpOptions = {}): Promise<DevIdp> {
  const door = await listen(options.port ?? 0);
  const issuer = options.issuer ?? door.url;
  const users = options.users ?? DEMO_USERS.map((user) => ({ ...user }));
  const clientSecret = options.clientSecret ?? DEMO_CLIENT_SECRET;
  door.answerWith(await devIdpListener({ ...options, issuer, users, clientSecret }));
  return { issuer, url: door.url, users, clientId: DEMO_CLIENT_ID, clientSecret, stop: door.stop };
}

type ListenerOptions = DevIdpOptions & { issuer: string; users: DevUser[]; clientSecret: string };

/** The provider as a request listener, for a server that serves more than it. */
export async function devIdpListener(options: ListenerOptions): Promise<RequestListener> {
  const { issuer, users, clientSecret } = options;
  const provider = await devOidc({
    issuer,
    users,
    clients: [{ clientId: DEMO_CLIENT_ID, clientSecret }, ...(options.clients ?? [])],
    redirectUriAllowed: options.redirectUriAllowed ?? isLocalCallback,
    signInWithoutAsking: options.autoLogin
      ? (hint) => userByEmail(users, hint ?? options.defaultUser ?? users[0]?.email ?? '')
      : undefined,
  });
  const protocol = provider.callback();
  return (request, response) => {
    if (!isInteraction(request.url ?? '')) return protocol(request, response);
    interact(provider, users, request, response).catch((error: unknown) => {
      response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error));
    });
  };
}

/** The product's callback, on whatever local port it happens to run. */
function isLocalCallback(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname, pathname, search, hash } = new URL(uri);
  return (
    protocol === 'http:' &&
    ['localhost', '127.0.0.1'].includes(hostname) &&
    pathname === '/api/v1/sso/callback' &&
    search === '' &&
    hash === ''
  );
}

interface Listening {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  /** Sets the handler; earlier requests are answered with 503. */
  answerWith(listener: RequestListener): void;
  stop(): Promise<void>;
}

/** Opens the port first (0 = any free one), since an issuer must know its own address before it can be built. */
export async function listen(port: number, host = '127.0.0.1'): Promise<Listening> {
  let answer: RequestListener = (_request, response) => response.writeHead(503).end();
  // The client ends idle connections: if the server did, a request sent at that moment would fail.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    answerWith: (listener) => void (answer = listener),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
