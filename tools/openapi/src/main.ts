import { UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { loadConfig, describeService, Service, type ServiceConfig, type ServiceDefinition } from '@gatehouse/service';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Contract } from './contract.ts';
import { Documenter } from './document.ts';
import { linesOf } from './lines.ts';

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Settings that satisfy every service; nothing is connected, so nothing listens at these addresses. */
const SETTINGS = new Proxy<Record<string, string>>(
  {
    NATS_URL: 'nats://127.0.0.1:1',
    REDIS_URL: 'redis://127.0.0.1:1',
    INTERNAL_IDENTITY_JWKS: '{"keys":[]}',
    SECRET_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    LOG_LEVEL: 'silent',
  },
  {
    get: (known, name: string) =>
      known[name] ?? (name.startsWith('DATABASE_URL_') ? 'postgres://nobody:nothing@127.0.0.1:1/none' : undefined),
  },
);

const isDefinition = (value: unknown): value is ServiceDefinition<ServiceConfig> =>
  typeof value === 'object' && value !== null && 'module' in value && 'config' in value;

async function definitionOf(name: string): Promise<ServiceDefinition<ServiceConfig>> {
  const exported = (await import(pathToFileURL(join(REPOSITORY, 'apps', name, 'dist/service.js')).href)) as Record<
    string,
    unknown
  >;
  const definition = Object.values(exported).find(isDefinition);
  if (!definition) throw new Error(`apps/${name}/src/service.ts exports no service definition`);
  return definition;
}

/** The contract of a service as text, always the same for the same code. */
async function documentOf(name: string): Promise<string> {
  const definition = await definitionOf(name);
  const service = await Service.create(definition, loadConfig(definition.config, SETTINGS));
  const contract = documenter.document(name, describeService(service.app, name) as never as Contract);
  return `${linesOf(contract)}\n`;
}

const documenter = new Documenter(REPOSITORY);
const check = process.argv.includes('--check');
const drifted: string[] = [];
for (const name of UPSTREAM_NAMES) {
  const path = join(REPOSITORY, 'apps', name, 'openapi.json');
  const text = await documentOf(name);
  if ((await readFile(path, 'utf8').catch(() => '')) === text) continue;
  drifted.push(name);
  if (!check) await writeFile(path, text);
}
if (check && drifted.length > 0) {
  process.stderr.write(`openapi.json does not match the code of: ${drifted.join(', ')}; run npm run openapi\n`);
  process.exit(1);
}
process.stdout.write(
  `${UPSTREAM_NAMES.length} contracts ${check ? 'match the code' : `written (${drifted.length} changed)`}\n`,
);
process.exit(0);
