import { GATEWAY, SERVICE_NAMES, type ServiceName, SERVICES } from '@gatehouse/contracts-core';
import type { PresetRecord, ProviderExampleRecord } from '@gatehouse/contracts-identity';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { definitionOf, type Metric, metricsOf, REPOSITORY } from './definitions.ts';
import {
  code,
  commonTo,
  eventsOf,
  faultOf,
  metricsTable,
  routingTable,
  tableOf,
  without,
  withSections,
} from './routes.ts';

import { ownSettings, sharedSettings } from './settings.ts';

// Writes the tables of the services' READMEs, docs/services.md and docs/identity-providers.md; --check only compares.

const SHARED_PAGE = 'docs/services.md';
const GUIDES_PAGE = 'docs/identity-providers.md';
const link = (text: string): string => `[${text}](../../${SHARED_PAGE})`;

/** What the contract says is not said again. */
const CONTRACT = '[openapi.json](openapi.json), which a running product shows at `/docs`.';

/** The metrics of every service, and those of every service with a database. */
interface Shared {
  readonly ofAll: readonly Metric[];
  readonly ofOwners: readonly Metric[];
}

async function readmeOf(service: ServiceName, metrics: readonly Metric[], shared: Shared): Promise<[string, string]> {
  const path = `apps/${service}/README.md`;
  const readme = readFileSync(join(REPOSITORY, path), 'utf8');
  const fault = faultOf(readme);
  if (fault !== null) throw new Error(`${path}: ${fault}`);
  const { config } = await definitionOf(service);
  const own = without(metrics, [...shared.ofAll, ...shared.ofOwners]);
  const sections = {
    Routes: service === GATEWAY.name ? await routingTable() : CONTRACT,
    Events: eventsOf(service),
    Settings: `${ownSettings(service, config)}\n\nBeside ${link('those of every service')}.`,
    Metrics: `${metricsTable(own, 'None of its own.')}\n\nBeside ${link('those of every service')}.`,
  };
  return [path, withSections(readme, sections)];
}

function sharedPage({ ofAll, ofOwners }: Shared): string {
  const rows = SERVICES.map(({ name, database, servePort }) => [
    `[${name}](../apps/${name}/README.md)`,
    database === undefined ? '–' : code(database),
    String(servePort),
  ]);
  return `# Services

This page is made by \`npm run service-docs\`. Each service has a README with its own events, settings and metrics, and its contract in \`openapi.json\`.

${tableOf(['service', 'database', 'port under `nx serve`'], rows, '')}

## Settings of every service

${sharedSettings()}

## Metrics of every service

${metricsTable(ofAll, '')}

The process metrics of Node (\`process_*\`, \`nodejs_*\`) are there too. Services with a database also have these:

${metricsTable(ofOwners, '')}
`;
}

const OUR_ADDRESSES: Readonly<Record<string, string>> = {
  callback_url: '/api/v1/sso/callback',
  acs_url: '/api/v1/sso/saml/acs',
  entity_id: '/api/v1/sso/saml/metadata',
  metadata_url: '/api/v1/sso/saml/metadata',
};

function guideOf({ name, type, steps }: ProviderExampleRecord): string {
  const text = steps
    .map(
      (step, at) =>
        `${at + 1}. ${step.replaceAll(/\{(\w+)\}/g, (_, key: string) => code(`BASE${OUR_ADDRESSES[key]}`))}`,
    )
    .join('\n');
  return `## ${name}: ${type === 'oidc' ? 'OpenID Connect' : 'SAML'}\n\n${text}\n`;
}

interface Guided {
  readonly PRESETS: readonly PresetRecord[];
  readonly EXAMPLES: readonly ProviderExampleRecord[];
}

const guidesPage = ({ PRESETS, EXAMPLES }: Guided): string => `# Setting up identity providers

This page is made by \`npm run service-docs\`. The console shows the same steps when a provider is connected, with the
addresses of the installation to copy; here \`BASE\` stands for its public address. After the steps, connect the
provider in the console, and run its test sign-in before you activate and enforce it.

If another administrator looks after the provider, send a set-up link from the single sign-on screen: its page shows
these steps, and needs no account. Enter the metadata address of a SAML provider, so that its next certificate is taken
over before the present one expires. A renewal link, from the provider's page, lets that administrator enter the next
certificate or client secret, and nothing else. Enforce in stages: first observe, then announce a date.

${[...PRESETS, ...EXAMPLES].map(guideOf).join('\n')}`;

const guided = import(pathToFileURL(join(REPOSITORY, 'libs/identity/domain/dist/index.js')).href) as Promise<Guided>;

async function pages(): Promise<[string, string][]> {
  const metrics = new Map<ServiceName, readonly Metric[]>();
  for (const name of SERVICE_NAMES) metrics.set(name, await metricsOf(await definitionOf(name)));
  const ofAll = commonTo([...metrics.values()]);
  const owners = SERVICES.flatMap(({ name, database }) => (database === undefined ? [] : [metrics.get(name) ?? []]));
  const shared = { ofAll, ofOwners: without(commonTo(owners), ofAll) };
  const readmes = SERVICE_NAMES.map((name) => readmeOf(name, metrics.get(name) ?? [], shared));
  return [...(await Promise.all(readmes)), [SHARED_PAGE, sharedPage(shared)], [GUIDES_PAGE, guidesPage(await guided)]];
}

const textAt = (path: string): string => {
  try {
    return readFileSync(join(REPOSITORY, path), 'utf8');
  } catch {
    return '';
  }
};

const stale = (await pages()).filter(([path, text]) => textAt(path) !== text);
if (!process.argv.includes('--check')) {
  for (const [path, text] of stale) writeFileSync(join(REPOSITORY, path), text);
  // The schema of the chart's values lists the settings of these pages.
  execFileSync(process.execPath, [join(REPOSITORY, 'tools/manifests/chart.mjs'), '--settings']);
} else if (stale.length > 0) {
  process.stderr.write(`stale: ${stale.map(([path]) => path).join(', ')}; run npm run service-docs\n`);
  process.exit(1);
}
process.stdout.write(`${stale.length} pages ${stale.length === 0 ? 'to write' : 'written'}\n`);
process.exit(0);
