import { IDENTITY_HEADER, type InternalIdentity, InternalIdentityVerifier } from '@gatehouse/auth';
import { addressSettingOf, type Principal, UPSTREAM_NAMES, type UpstreamName } from '@gatehouse/contracts-core';
import {
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  ACCESS_TOKEN_TYPE,
  type IntrospectionResponse,
  type IntrospectionRequest,
} from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { aPrincipal, TestService } from '@gatehouse/testing';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { request as rawRequest } from 'node:http';
import { gatewayService } from '../src/service.ts';
import { type UpstreamRequest, StubUpstream } from './stub-upstream.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
  readonly chunked?: boolean;
}

const safeJson = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** The gateway with stand-ins for the services behind it; identity knows the sessions and keys of `principals`. */
export class GatewayHarness {
  readonly principals = new Map<string, IntrospectionResponse>();
  questions = 0;

  /** @param jwks the signing keys that identity publishes */
  private constructor(
    readonly service: TestService,
    readonly upstreams: Record<UpstreamName, StubUpstream>,
    readonly verifiers: Record<UpstreamName, InternalIdentityVerifier>,
    readonly signingKey: CryptoKey,
    public jwks: string,
  ) {}

  static async start(env: Record<string, string> = {}, natsUrl?: string): Promise<GatewayHarness> {
    const internal = await generateKeyPair('ES256', { extractable: true });
    const signing = await generateKeyPair('ES256', { extractable: true });
    const stubs = await Promise.all(UPSTREAM_NAMES.map(async (name) => [name, await StubUpstream.start()] as const));
    const upstreams = Object.fromEntries(stubs) as Record<UpstreamName, StubUpstream>;
    const service = await TestService.start(gatewayService, {
      natsUrl,
      env: {
        GATEWAY_PORT: '0',
        INTERNAL_IDENTITY_PRIVATE_KEY: JSON.stringify({ ...(await exportJWK(internal.privateKey)), kid: 'test' }),
        ...Object.fromEntries(stubs.map(([name, { url }]) => [addressSettingOf(name), url])),
        ...env,
      },
    });
    const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(internal.publicKey)), kid: 'test', alg: 'ES256' }] });
    const verifiers = Object.fromEntries(
      UPSTREAM_NAMES.map((name) => [name, new InternalIdentityVerifier(name, jwks)]),
    ) as Record<UpstreamName, InternalIdentityVerifier>;
    const published = JSON.stringify({
      keys: [{ ...(await exportJWK(signing.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' }],
    });
    const harness = new GatewayHarness(service, upstreams, verifiers, signing.privateKey, published);
    harness.playIdentity();
    return harness;
  }

  private playIdentity(): void {
    this.upstreams.identity.answer = ({ url, body }, response) => {
      response.setHeader('content-type', 'application/json');
      if (url.endsWith('/jwks.json')) return void response.end(this.jwks);
      if (!url.endsWith('/internal/introspect')) return void response.end('{"ok":true}');
      this.questions++;
      const { sessionId, apiKeyHash } = JSON.parse(body.toString()) as IntrospectionRequest;
      response.end(
        JSON.stringify(
          this.principals.get(sessionId ?? apiKeyHash ?? '') ?? {
            active: false,
            code: sessionId ? 'session_revoked' : 'token_invalid',
          },
        ),
      );
    };
  }

  /** A session that identity knows, and an access token for it. */
  async signIn(principal: Principal = aPrincipal()): Promise<{ token: string; principal: Principal; sid: string }> {
    const sid = principal.sessionId ?? newId();
    this.principals.set(sid, { active: true, principal });
    return { token: await this.tokenFor({ sub: principal.userId, sid }), principal, sid };
  }

  tokenFor(
    claims: JWTPayload,
    {
      typ = ACCESS_TOKEN_TYPE,
      kid = 'k1',
      iss = ACCESS_TOKEN_ISSUER,
      aud = ACCESS_TOKEN_AUDIENCE,
      exp = '15m',
      nbf = '0s',
      key = this.signingKey,
    }: { typ?: string; kid?: string; iss?: string; aud?: string; exp?: string; nbf?: string; key?: CryptoKey } = {},
  ): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', typ, kid })
      .setIssuer(iss)
      .setAudience(aud)
      .setIssuedAt()
      .setNotBefore(nbf)
      .setExpirationTime(exp)
      .sign(key);
  }

  /** One request with exactly this target and these headers. */
  call(path: string, { method = 'GET', headers = {}, body, chunked = false }: Call = {}): Promise<Answer> {
    const { hostname, port } = new URL(this.service.url);
    const length = body === undefined || chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const request = rawRequest(
        { agent: false, hostname, port, path, method, headers: { ...length, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: safeJson(text) });
          });
        },
      );
      request.on('error', reject);
      request.end(body);
    });
  }

  get(path: string, token?: string): Promise<Answer> {
    return this.call(path, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  }

  /** What the gateway vouched for in a request that reached an upstream. */
  vouchedFor(name: UpstreamName, seen: UpstreamRequest = this.upstreams[name].last): Promise<InternalIdentity> {
    return this.verifiers[name].verify(String(seen.headers[IDENTITY_HEADER]));
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await Promise.all(Object.values(this.upstreams).map((upstream) => upstream.stop().catch(() => undefined)));
  }
}
