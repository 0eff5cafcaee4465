import { SERVICE_NAMES, SERVICES, UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { TRAFFIC } from '@gatehouse/messaging';
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

describe('the catalogue of services', () => {
  it('is the only list of services in code, settings and manifests', () => {
    const files = execFileSync('git', ['ls-files', ...CODE], { cwd: REPOSITORY, encoding: 'utf8' })
      .split('\n')
      .filter((path) => path !== '' && !NO_LIST.test(path) && existsSync(join(REPOSITORY, path)));
    expect(files.filter((path) => isList(read(path)))).toEqual([
      'apps/console/src/features/system/queries.ts', // the console knows the contract alone, and is compared with it
      'apps/e2e/test/databases.ts', // where each database is defined
      'apps/gateway/test/proxy.api-spec.ts', // an example of a route of each service
      'deploy/helm/gatehouse/values.yaml', // made from the base
      'deploy/observability/alerts.test.yaml', // an example of an installation
      'libs/contracts/core/src/services.ts',
    ]);
  });

  it('names the services whose traffic is catalogued, with the same databases', () => {
    const traffic = Object.entries(TRAFFIC).map(([name, { database }]) => [name, database]);
    expect(traffic).toEqual(SERVICES.map(({ name, database = null }) => [name, database]));
  });

  it.each(SERVICE_NAMES)('names %s, which has a folder and a base of Kubernetes', (name) => {
    expect(existsSync(join(REPOSITORY, 'apps', name, 'src/service.ts'))).toBe(true);
    expect(existsSync(join(REPOSITORY, 'deploy/k8s/base', name, 'kustomization.yaml'))).toBe(true);
  });

  it('fills the lists of the files that cannot import it', async () => {
    const { FILES, withLists } = await generated;
    for (const file of FILES) expect([file, withLists(read(file))]).toEqual([file, read(file)]);
  });
});

const REPOSITORY = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
const generated = import(new URL('../service-lists.mjs', import.meta.url).href) as Promise<{
  FILES: readonly string[];
  withLists(text: string): string;
}>;

const CODE = ['*.ts', '*.mjs', '*.json', '*.yml', '*.yaml', '*.sh'];
const NO_LIST = /(^|\/)(package-lock|openapi)\.json$/;
/** Lists that `service-lists.mjs` writes. */
const GENERATED = /<services: [^>]+>[\s\S]*?<\/services>/g;
/** So many lines that name so many of the services behind the gateway are a list of them. */
const LINES = 7;
const NAMES = 5;

const namedIn = (lines: readonly string[]): number =>
  UPSTREAM_NAMES.filter((name) => new RegExp(`(?<![\\w/.-])['"]?${name}(['"]|[,:\\]])`, 'm').test(lines.join('\n')))
    .length;

function isList(text: string): boolean {
  const lines = text.replace(GENERATED, '').split('\n');
  return lines.some((_, at) => namedIn(lines.slice(at, at + LINES)) >= NAMES);
}
