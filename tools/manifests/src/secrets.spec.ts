import { SERVICE_NAMES, SERVICES, settingOf } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeSecrets, policyFaults, selects } from './policy.ts';
import { hasKubectl, type KubernetesObject, parse, render, renderWith } from './policy.ts';
import { schemaFaults } from './schema.ts';

describe('the Secrets', () => {
  it.each(SERVICES)('hold for $name a login of its own at every store, and only what it reads', ({ name }) => {
    const own = dataOf(name);
    expect(Object.keys(own).filter((key) => !settingsOf(name).includes(key))).toEqual([]);
    const redis = new URL(own['REDIS_URL'] ?? '');
    expect([redis.username, redis.password]).toEqual([name, dataOf('redis')[`REDIS_PASSWORD_${settingOf(name)}`]]);
  });

  it('share no credential between services, except where two own one database', () => {
    const holders = new Map<string, string[]>();
    for (const name of SERVICE_NAMES)
      for (const [key, value] of Object.entries(dataOf(name)))
        holders.set(`${key}=${value}`, [...(holders.get(`${key}=${value}`) ?? []), name]);
    const shared = [...holders].filter(([, names]) => names.length > 1);
    expect(shared.map(([credential, names]) => [credential.split('=')[0], names])).toEqual([
      // Public keys.
      ['INTERNAL_IDENTITY_JWKS', SERVICE_NAMES],
      ['OPERATOR_JWKS', SERVICE_NAMES],
      ['SECRET_ENCRYPTION_KEY', ['pam', 'pam-ingest']],
      ['DATABASE_URL_PAM', ['pam', 'pam-ingest']],
    ]);
  });

  it('open in the cluster as a SealedSecret of the same names', async () => {
    const examples = parse(read('deploy/k8s/examples/sealed-secret.yaml'));
    const sealed = examples.map(({ spec }) => Object.keys(spec?.['encryptedData'] as object));
    expect(sealed).toEqual([Object.keys(dataOf('audit')).sort()]);
    expect(await schemaFaults(examples)).toEqual([]);
  });
});

(hasKubectl ? describe : describe.skip)('Secrets in Kubernetes', () => {
  it('are all made by `make-secrets.mjs`', () => {
    const names = made.map(({ metadata }) => metadata.name);
    for (const overlay of ['overlays/local', 'overlays/production'])
      expect(secretsNamedIn(render(overlay)).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('come from a vault by External Secrets, one entry each', async () => {
    const objects = renderWith({ resources: ['overlays/production'], components: ['components/external-secrets'] });
    const external = objects.filter(({ kind }) => kind === 'ExternalSecret');
    expect(external.map(({ metadata }) => metadata.name).sort()).toEqual(secretsNamedIn(objects).sort());
    expect(await schemaFaults(external)).toEqual([]);
    for (const { metadata, spec } of external)
      expect(spec).toMatchObject({
        target: { name: metadata.name },
        dataFrom: [{ extract: { key: metadata.name.replace('gatehouse-', 'gatehouse/') } }],
      });
  });

  it('let pam, and no other service, reach error tracking on the internet', () => {
    const objects = renderWith({ resources: ['base'], components: ['components/error-tracking'] });
    const policy = objects.find(({ metadata }) => metadata.name === 'pam-error-tracking');
    const reached = SERVICE_NAMES.filter((name) =>
      selects(policy?.spec?.['podSelector'] as object, {
        'app.kubernetes.io/name': name,
        'app.kubernetes.io/component': 'service',
      }),
    );
    expect(reached).toEqual(['pam']);
    expect(policyFaults(objects)).toEqual([]);
  });
});

const REPOSITORY = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

const made = madeSecrets();
const dataOf = (name: string): Readonly<Record<string, string>> =>
  made.find(({ metadata }) => metadata.name === `gatehouse-${name}`)?.stringData ?? {};

/** The Secrets that workloads read, by name. */
const secretsNamedIn = (objects: readonly KubernetesObject[]): string[] => [
  ...new Set(
    [...JSON.stringify(objects).matchAll(/"secret(?:Key)?Ref":\{[^}]*"name":"([^"]+)"/g)].map(([, name = '']) => name),
  ),
];

/** What every service reads; the README of a service lists the others. */
const COMMON = ['INTERNAL_IDENTITY_JWKS', 'OPERATOR_JWKS', 'NATS_URL', 'REDIS_URL', 'SECRET_ENCRYPTION_KEY'];
const settingsOf = (service: string): string[] =>
  [...read(`apps/${service}/README.md`).matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name).concat(COMMON);
