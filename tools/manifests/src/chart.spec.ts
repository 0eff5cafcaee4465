import { SERVICE_NAMES } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { policyFaults } from './policy.ts';
import { hasKubectl, type KubernetesObject, parse, renderWith, titleOf } from './policy.ts';
import { schemaFaults } from './schema.ts';

const program = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** What `helm template` would print, by Go's template engine. */
const chart = (values: object = {}): KubernetesObject[] =>
  parse(
    execFileSync(process.execPath, [program('render-chart.mjs'), JSON.stringify(values)], { encoding: 'utf8' }),
  ).filter(Boolean);

const isHelms = ([name]: [string, unknown]): boolean => /^(helm\.sh|gatehouse)\//.test(name);

/** Without what one tool says and the other does not: hooks, and how changed settings replace pods. */
function bare(object: KubernetesObject): KubernetesObject {
  const text = JSON.stringify(object).replace(/\b(gatehouse|gateway)-settings-[a-z0-9]{10}\b/g, '$1-settings');
  return JSON.parse(text, (key, value: unknown) => {
    if (key !== 'annotations') return value;
    const kept = Object.entries(value as Record<string, unknown>).filter((entry) => !isHelms(entry));
    return kept.length > 0 ? Object.fromEntries(kept) : undefined;
  }) as KubernetesObject;
}

/** By title. Helm makes the namespace itself. */
const byTitle = (objects: readonly KubernetesObject[]): object =>
  Object.fromEntries(
    objects
      .filter(({ kind }) => kind !== 'Namespace')
      .map(bare)
      .map((object) => [titleOf(object), object]),
  );

(hasKubectl ? describe : describe.skip)('the Helm chart', () => {
  it('is made from the Kustomize base', () => {
    expect(() => execFileSync(process.execPath, [program('chart.mjs'), '--check'], { stdio: 'pipe' })).not.toThrow();
  });

  it('renders to the objects of the base', () => {
    expect(byTitle(chart())).toEqual(byTitle(renderWith({ resources: ['base'] })));
  });

  it('renders to the objects of the base with images, settings, limits of scaling and an Ingress of one’s own', () => {
    const digest = `sha256:${'7'.repeat(64)}`;
    const imageOf = (name: string): string => `registry.example.com/gatehouse/${name}`;
    const values = {
      host: 'gatehouse.example.com',
      settings: { PUBLIC_URL: 'https://gatehouse.example.com', NATS_REPLICAS: 3 },
      images: Object.fromEntries(SERVICE_NAMES.map((name) => [name, `${imageOf(name)}@${digest}`])),
      scaling: { pam: { min: 3 } },
    };
    const host = [{ op: 'replace', path: '/spec/rules/0/host', value: values.host }];
    const expected = renderWith({
      resources: ['base'],
      components: ['components/ingress'],
      images: SERVICE_NAMES.map((name) => ({ name: `gatehouse/${name}`, newName: imageOf(name), digest })),
      configMapGenerator: [
        {
          name: 'gatehouse-settings',
          behavior: 'merge',
          literals: ['PUBLIC_URL=https://gatehouse.example.com', 'NATS_REPLICAS=3'],
        },
      ],
      patches: [
        {
          target: { kind: 'Ingress' },
          patch: JSON.stringify([...host, { op: 'replace', path: '/spec/tls/0/hosts/0', value: values.host }]),
        },
        {
          target: { kind: 'HorizontalPodAutoscaler', name: 'pam' },
          patch: JSON.stringify([{ op: 'replace', path: '/spec/minReplicas', value: 3 }]),
        },
      ],
    });
    expect(byTitle(chart(values))).toEqual(byTitle(expected));
  });

  it('renders to the objects of the component `backup` with a schedule, a number and a volume of one’s own', () => {
    const values = {
      enabled: true,
      schedule: '0 4 * * *',
      keep: 30,
      storage: '200Gi',
      image: 'registry.example.com/b:1',
    };
    const path = '/spec/jobTemplate/spec/template/spec/containers/0/args/4';
    const replaced = (kind: string, ...changes: object[]) => ({
      target: { kind },
      patch: JSON.stringify(changes.map((change) => ({ op: 'replace', ...change }))),
    });
    const expected = renderWith({
      resources: ['base'],
      components: ['components/backup'],
      images: [{ name: 'gatehouse/backup', newName: 'registry.example.com/b', newTag: '1' }],
      patches: [
        replaced('CronJob', { path: '/spec/schedule', value: values.schedule }, { path, value: '30' }),
        replaced('PersistentVolumeClaim', { path: '/spec/resources/requests/storage', value: values.storage }),
      ],
    });
    expect(byTitle(chart({ backup: values }))).toEqual(byTitle(expected));
  });

  it('fits the schemas of Kubernetes, keeps to the policy, and migrates before anything else', async () => {
    const objects = chart({ host: 'gatehouse.example.com', backup: { enabled: true } });
    expect([...(await schemaFaults(objects)), ...policyFaults(objects)]).toEqual([]);
    const hooks = objects.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
    expect(hooks.map((object) => [titleOf(object), object.metadata.annotations?.['helm.sh/hook-weight']])).toEqual([
      ['ConfigMap/gatehouse-settings', '-1'],
      ...objects.filter(({ kind }) => kind === 'Job').map((job) => [titleOf(job), '0']),
    ]);
  });

  it('replaces the pods when a setting changes', () => {
    const settingsOf = (objects: readonly KubernetesObject[]): Set<string> =>
      new Set([...JSON.stringify(objects).matchAll(/"gatehouse\/settings":"([^"]+)"/g)].map(([, text = '']) => text));
    const [before, after] = [chart(), chart({ settings: { LOG_LEVEL: 'debug' } })].map(settingsOf);
    expect([before?.size, after?.size]).toEqual([1, 1]);
    expect(before).not.toEqual(after);
  });
});
