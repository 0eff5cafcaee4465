import { startDevIdp, startSamlIdp, startScriptedIdp } from '@gatehouse/dev-idp';
import { startFakeDns } from '@gatehouse/testing';
import { brokerSettings, connected, startBacking, startProduct } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPushService } from './push-service.ts';
import { keepFacts, type Neighbours } from './world.ts';

/** High limits, because tests act faster than people. */
const RATE_LIMITS =
  'signInByClient=1000/300,signInByAccount=1000/300,mfa=1000/300,agentReport=1000/1,ssoStart=1000/300,' +
  'discovery=1000/300,loginContext=1000/60';

/** An administrator as managed servers give out: it may make roles and databases, and is no superuser. */
async function managedAdministrator(superuserUrl: string): Promise<string> {
  const url = new URL(superuserUrl);
  [url.username, url.password] = ['managed', randomUUID()];
  await connected(superuserUrl, (client) =>
    client.query(`CREATE ROLE managed LOGIN CREATEROLE CREATEDB PASSWORD '${url.password}'`),
  );
  return url.href;
}

/** Starts what others run in real life (identity providers, name servers, a push service), with the settings for it. */
async function startNeighbours(dnsDirectory: string) {
  const [oidc, misdirected, saml, dns, pushes] = await Promise.all([
    startDevIdp(),
    startScriptedIdp(),
    startSamlIdp(),
    startFakeDns(),
    startPushService(),
  ]);
  misdirected.always({ token: { status: 400, body: () => ({ error: 'invalid_grant' }) } });
  mkdirSync(dnsDirectory);
  // Journeys run in other processes: they publish a record as a file of its name.
  dns.beforeAnswer = (name) => {
    const file = join(dnsDirectory, name);
    if (existsSync(file)) dns.records[name] = { TXT: readFileSync(file, 'utf8').trim().split('\n') };
  };
  const neighbours: Neighbours = {
    oidc: { issuer: oidc.issuer, clientId: oidc.clientId, clientSecret: oidc.clientSecret },
    misdirected: {
      issuer: misdirected.issuer,
      clientId: misdirected.clientId,
      clientSecret: misdirected.clientSecret,
    },
    saml: {
      entityId: saml.entityId,
      ssoUrl: saml.ssoUrl,
      metadataUrl: saml.metadataUrl,
      certificate: saml.certificates.join('\n'),
    },
    dnsDirectory,
    pushService: pushes.address,
  };
  const settings = {
    EGRESS_ALLOW_HOSTS: [oidc.issuer, misdirected.issuer, saml.ssoUrl, pushes.address]
      .map((address) => new URL(address).host)
      .join(','),
    EGRESS_ALLOW_HTTP: 'true',
    DNS_SERVERS: dns.address,
  };
  return {
    neighbours,
    settings,
    stop: () => Promise.all([oidc.stop(), misdirected.stop(), saml.stop(), dns.stop(), pushes.stop()]),
  };
}

/** Starts the product once for all journeys. @returns what ends it */
export default async function startWorld(): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-world-'));
  const backing = await startBacking({ directory, ephemeral: true, log: () => undefined });
  const { neighbours, settings, stop } = await startNeighbours(join(directory, 'dns'));
  const postgres = process.env['GATEHOUSE_JOURNEYS_POSTGRES'];
  const product = await startProduct({
    ...settings,
    DATABASE_ADMIN_URL: postgres ?? (await managedAdministrator(backing.postgres.url)),
    NATS_URL: backing.nats.url,
    ...brokerSettings(backing.nats.url),
    REDIS_URL: backing.redis.url,
    RATE_LIMITS,
    DEMO: process.env['GATEHOUSE_JOURNEYS_DEMO'] ?? 'false',
  });
  keepFacts({
    baseUrl: product.baseUrl,
    postgres: postgres ?? backing.postgres.url,
    mailDirectory: join(product.directory, 'mail'),
    endpoints: product.endpoints,
    administrator: product.administrator,
    neighbours,
  });
  return async () => {
    await product.stop();
    await Promise.all([backing.stop(), stop()]);
    rmSync(directory, { recursive: true, force: true });
  };
}
