import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

describe('the program layer of an image', () => {
  let text = '';
  let digest = '';

  beforeAll(async () => {
    digest = await bundle(once, REPOSITORY, { BASE_IMAGE: 'node:24', TZ: 'UTC' });
    text = readFileSync(join(once, 'dist', SERVICE, 'sbom.cdx.json'), 'utf8');
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  it('has the same digest when it is built a second time, elsewhere and later', async () => {
    const again = await bundle(join(directory, 'a/second/place'), tmpdir(), {
      BASE_IMAGE: 'node:24',
      TZ: 'Asia/Tokyo',
    });
    expect(again).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(again).toBe(digest);
  });

  it('has a bill of materials that fits the schema of CycloneDX', async () => {
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
  });

  it('lists the packages that are in the program, and no tool that made it', () => {
    const { metadata, components, dependencies } = JSON.parse(text) as Document;
    const versions = new Map(components.map(({ name, version }) => [name, version]));
    const { version } = createRequire(import.meta.url)('fastify/package.json') as { version: string };
    expect(metadata.component.name).toBe('gatehouse-pam-ingest');
    expect(versions.get('fastify')).toBe(version);
    expect(components.map(({ purl }) => purl)).toContain(`pkg:npm/fastify@${version}`);
    expect(components).toContainEqual(expect.objectContaining({ type: 'container', name: 'node:24' }));
    expect(['esbuild', 'jest', 'typescript', 'passport'].filter((name) => versions.has(name))).toEqual([]);
    const program = dependencies.find(({ ref }) => ref === 'gatehouse-pam-ingest');
    expect(program?.dependsOn).toContain('node_modules/pg');
  });

  it('has the contracts that it uses, and not those beside them', () => {
    const program = readFileSync(join(once, 'dist', SERVICE, 'main.program.js'), 'utf8');
    expect(program).toContain('AgentReportDto');
    expect(program).not.toContain('CreateFreezeDto');
  });

  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bundle-'));
  const once = join(directory, 'once');
});

const REPOSITORY = resolve(fileURLToPath(import.meta.url), '../../../..');
const SERVICE = 'pam-ingest';

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

interface Document {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

/** Bundles the service. @returns the digest, which is the last line of the output */
const bundle = (out: string, cwd: string, env: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((done, fail) => {
    execFile(
      process.execPath,
      [join(REPOSITORY, 'tools/bundle/bundle.mjs'), out, SERVICE],
      { cwd, env: { PATH: process.env['PATH'], ...env } },
      (error, output) => (error ? fail(error) : done(output.trim().split('\n').at(-1) ?? '')),
    );
  });
