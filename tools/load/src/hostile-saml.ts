import { buildResponseXml, newSamlKey } from '@gatehouse/dev-idp';
import type { RunningProduct } from '@gatehouse/stack';
import { setTimeout as pause } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { startChild } from './child.ts';
import { drive, type Driven, medianP99, roundsLine } from './drive.ts';
import { expectStatus } from './http.ts';
import { type BenchOptions, fine, repeated, say, table } from './command-line.ts';
import { type OidcProvider, organizationWithProvider, organizationWithSaml, signInThroughProvider } from './people.ts';
import { untilQuiet, withProduct } from './product.ts';
import { makeTenant } from './tenant.ts';

const QUIET_CLIENTS = 4;
const HOSTILE_CLIENTS = 8;
const HOSTILE_PAUSE_MS = 100;
/** The number of responses that one attempt accepts. */
const POSTS_OF_ONE_ATTEMPT = 30;
const WARM_UP = 4;
const UNLIMITED = 'ssoStart=1000000/1';

interface World {
  readonly product: RunningProduct;
  readonly options: BenchOptions;
  readonly quietOrgId: string;
  readonly hostileOrgId: string;
  readonly documents: readonly string[];
  /** The number of answers to hostile posts, by status. */
  readonly answers: Map<number, number>;
}

const REQUEST_ID = 'REQUEST-ID';

/**
 * A document far beyond the limits, and the most expensive one within them. Both are forged, since the sender has no
 * key.
 */
async function hostileDocuments(acsUrl: string, issuer: string): Promise<string[]> {
  const key = await newSamlKey();
  const fields = { key, issuer, audience: acsUrl, acsUrl, inResponseTo: REQUEST_ID, nameId: 'eve@bench.example' };
  const beyond = (xml: string): string => xml.replace('</samlp:Response>', `${'<a/>'.repeat(25_000)}</samlp:Response>`);
  const values = Array.from({ length: 2_900 }, (_, at) => `group ${at}`);
  return [
    buildResponseXml({ ...fields, afterSigning: beyond }),
    buildResponseXml({ ...fields, attributes: { groups: values } }),
  ];
}

function requestIdIn(authorization: URL): string {
  const request = Buffer.from(authorization.searchParams.get('SAMLRequest') ?? '', 'base64');
  return /ID="([^"]+)"/.exec(inflateRawSync(request).toString())?.[1] ?? '';
}

/** Begins an attempt without signing in, and posts documents that answer it. */
async function attack(
  { product: { baseUrl }, hostileOrgId, documents, answers }: World,
  isOver: () => boolean,
): Promise<void> {
  const start = await expectStatus(302, `${baseUrl}/api/v1/sso/saml/login/${hostileOrgId}`);
  const authorization = new URL(start.location);
  const relayState = authorization.searchParams.get('RelayState') ?? '';
  const encoded = documents.map((xml) =>
    Buffer.from(xml.replaceAll(REQUEST_ID, requestIdIn(authorization))).toString('base64'),
  );
  const forms = encoded.map((response) =>
    new URLSearchParams({ SAMLResponse: response, RelayState: relayState }).toString(),
  );
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  for (let at = 0; at < POSTS_OF_ONE_ATTEMPT && !isOver(); at++) {
    const body = forms[at % forms.length];
    const { status } = await fetch(`${baseUrl}/api/v1/sso/saml/acs`, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    answers.set(status, (answers.get(status) ?? 0) + 1);
    await pause(HOSTILE_PAUSE_MS);
  }
}

async function whileAttacked(world: World, work: () => Promise<Driven>): Promise<Driven> {
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) await attack(world, () => isOver);
  };
  const clients = Array.from({ length: HOSTILE_CLIENTS }, client);
  await pause(1_000);
  const driven = await work();
  isOver = true;
  await Promise.all(clients);
  return driven;
}

async function compare(world: World): Promise<void> {
  const { product, options, quietOrgId, answers } = world;
  const once = (client: number): Promise<unknown> =>
    signInThroughProvider({ baseUrl: product.baseUrl, orgId: quietOrgId, email: `ada+${client}@acme.example` });
  const work = (): Promise<Driven> => drive({ seconds: options.seconds, clients: QUIET_CLIENTS, once });
  await drive({ seconds: options.seconds * WARM_UP, clients: QUIET_CLIENTS, once });
  const [calm, attacked]: [Driven[], Driven[]] = [[], []];
  await repeated(options.rounds, async () => {
    await untilQuiet(product);
    calm.push(await work());
    attacked.push(await whileAttacked(world, work));
  });
  const head = [
    `OIDC sign-in of a quiet tenant, ${QUIET_CLIENTS} clients`,
    'p50 ms',
    'p99 ms',
    'per second',
    'failures',
  ];
  say(table([head, roundsLine('nothing else', calm), roundsLine('beside hostile SAML responses', attacked)]));
  const given = [...answers].map(([status, count]) => `${count} × ${status}`).join(', ');
  say(
    `quiet p99 with hostile SAML responses to without: ${fine(medianP99(attacked) / medianP99(calm))} (target at most 2; hostile posts were answered ${given})`,
  );
}

/** Forged SAML responses, as large as an anonymous sender can make them, beside the sign-ins of another tenant. */
export async function benchHostileSaml(options: BenchOptions): Promise<void> {
  const provider = await startChild<OidcProvider>('./dev-idp-child.js');
  const { issuer } = provider.ready;
  try {
    const settings = { RATE_LIMITS: UNLIMITED, EGRESS_ALLOW_HOSTS: new URL(issuer).host, EGRESS_ALLOW_HTTP: 'true' };
    await withProduct(settings, async (product) => {
      const { admin, partnerId } = await makeTenant(product, 0);
      const quietOrgId = await organizationWithProvider(admin, partnerId, provider.ready);
      const { certificatePem: certificate } = await newSamlKey();
      const saml = { entityId: issuer, ssoUrl: `${issuer}/saml/sso`, certificate };
      const hostileOrgId = await organizationWithSaml(admin, partnerId, saml);
      const documents = await hostileDocuments(`${product.baseUrl}/api/v1/sso/saml/acs`, issuer);
      await compare({ product, options, quietOrgId, hostileOrgId, documents, answers: new Map() });
    });
  } finally {
    await provider.stop();
  }
}
