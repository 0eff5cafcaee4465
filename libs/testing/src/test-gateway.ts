import type { Principal } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { createLogger, loadConfig, Service, type ServiceConfig, type ServiceDefinition } from '@gatehouse/service';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The gateway is an application, which libraries reference by path only. */
const GATEWAY = new URL('../../../apps/gateway/src/', import.meta.url);
const UPSTREAMS = ['IDENTITY_URL', 'TENANCY_URL', 'PAM_URL', 'PAM_INGEST_URL', 'AUDIT_URL', 'NOTIFIER_URL'];

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const ACCESS_KEYS = JSON.stringify({
  keys: [{ ...(await exportJWK(publicKey)), kid: 'test', alg: 'ES256', use: 'sig' }],
});

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const answer = (response: ServerResponse, body: string): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(body);

function passOn(incoming: IncomingMessage, response: ServerResponse, url: string): void {
  const onward = request(
    new URL(incoming.url ?? '/', url),
    { method: incoming.method, headers: incoming.headers },
    (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.rawHeaders);
      reply.pipe(response);
    },
  );
  onward.on('error', () => response.destroy());
  incoming.pipe(onward);
}

/**
 * The real gateway in front of the service under test. Only introspection is faked: the test's principals are returned
 * in place of the identity service, which receives all other requests.
 */
export class TestGateway {
  private readonly principals = new Map<string, Principal>();

  private constructor(
    readonly url: string,
    private readonly gateway: Service,
    private readonly identity: Server,
  ) {}

  /** @returns null for a service to which the gateway routes nothing */
  static async before(
    name: string,
    serviceUrl: string,
    env: Readonly<Record<string, string>>,
  ): Promise<TestGateway | null> {
    const { ROUTES } = (await import(new URL('routes.ts', GATEWAY).href)) as {
      ROUTES: readonly { upstream: string }[];
    };
    if (!ROUTES.some(({ upstream }) => upstream === name)) return null;
    const { gatewayService } = (await import(new URL('service.ts', GATEWAY).href)) as {
      gatewayService: ServiceDefinition<ServiceConfig>;
    };
    const holder: { principals: ReadonlyMap<string, Principal> } = { principals: new Map() };
    const identity = createServer(
      (incoming, response) => void tellWho(holder.principals, incoming, response, serviceUrl),
    );
    await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
    const upstreams = Object.fromEntries(UPSTREAMS.map((setting) => [setting, serviceUrl]));
    const settings = {
      ...env,
      ...upstreams,
      IDENTITY_URL: `http://127.0.0.1:${(identity.address() as AddressInfo).port}`,
      GATEWAY_PORT: '0',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    const gateway = await Service.create(
      gatewayService,
      loadConfig(gatewayService.config, settings),
      createLogger('gateway', 'silent'),
    );
    await gateway.start();
    const made = new TestGateway(await gateway.listen(), gateway, identity);
    holder.principals = made.principals;
    return made;
  }

  /** An access token that stands for the principal. */
  async tokenFor(principal: Principal): Promise<string> {
    const sid = newId();
    this.principals.set(sid, principal);
    const { userId, level, partnerId, orgId } = principal;
    return new SignJWT({ sid, scope: level, partnerId, orgId, mfa: null })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'test' })
      .setSubject(userId)
      .setIssuer('gatehouse')
      .setAudience('gatehouse-api')
      .setIssuedAt()
      .setExpirationTime('15m')
      .setJti(newId())
      .sign(privateKey);
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    this.identity.closeAllConnections();
    this.identity.close();
  }
}

async function tellWho(
  principals: ReadonlyMap<string, Principal>,
  incoming: IncomingMessage,
  response: ServerResponse,
  serviceUrl: string,
): Promise<void> {
  // The gateway's own requests carry no client's request id.
  if (incoming.url?.endsWith('/jwks.json') && incoming.headers['x-request-id'] === undefined)
    return answer(response, ACCESS_KEYS);
  if (!incoming.url?.endsWith('/internal/introspect')) return passOn(incoming, response, serviceUrl);
  const { sessionId } = JSON.parse(await bodyOf(incoming)) as { sessionId?: string };
  const principal = principals.get(sessionId ?? '');
  answer(
    response,
    JSON.stringify(principal ? { active: true, principal } : { active: false, code: 'session_revoked' }),
  );
}
