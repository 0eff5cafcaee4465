import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chart, hasKubectl, type KubernetesObject, parse, render, renderWith, titleOf } from './policy.ts';
import { isBuiltIn, unknownKeys } from './schema.ts';
import { VERSIONS, versionFaults } from './versions.ts';

(hasKubectl ? describe : describe.skip)('the manifests and the chart', () => {
  it.each(VERSIONS)('fit the schemas of Kubernetes %s, which find what does not', async (version) => {
    const objects = await everything();
    expect(objects.length).toBeGreaterThan(100);
    const faults = versionFaults(version, [...objects, ...RIGHT, ...FAULTY]);
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(FAULTY.map(titleOf));
  });

  it('have no field that the operators of custom kinds do not know', async () => {
    const custom = (await everything()).filter((object) => !isBuiltIn(object));
    const kinds = [
      'Application',
      'ExternalSecret',
      'HTTPRoute',
      'Kustomization',
      'PodMonitor',
      'PrometheusRule',
      'SealedSecret',
    ];
    expect([...new Set(custom.map(({ kind }) => kind))].sort()).toEqual(kinds);
    const misspelt = custom.map((object) => ({ ...object, spec: { ...object.spec, misspelt: true } }));
    expect(unknownKeys([...custom, ...misspelt])).toHaveLength(misspelt.length);
  });
});

const EXAMPLES = join(import.meta.dirname, '../../../deploy/k8s/examples');

/** All that the manifests can be made to, and the examples: each different object once. */
async function everything(): Promise<KubernetesObject[]> {
  const objects = [
    ...render('overlays/local'),
    ...renderWith({
      resources: ['overlays/production', 'jobs/operate', 'jobs/restore-organization'],
      components: [
        'backup',
        'backup-verification',
        'store-tls',
        'own-store-tls',
        'error-tracking',
        'private-providers',
        'pgbouncer',
        'exporters',
        'waiting-agents',
      ].map((name) => `components/${name}`),
    }),
    ...renderWith({
      resources: ['overlays/production', 'jobs/restore'],
      components: ['components/managed-redis', 'components/external-secrets'],
    }),
    ...renderWith({ resources: ['base'], components: ['components/gateway-api'] }),
    ...(await chart({ host: 'gatehouse.example.com', backup: { enabled: true }, podMonitor: { enabled: true } })),
    ...['argo-cd.yaml', 'flux.yaml', 'sealed-secret.yaml'].flatMap((name) =>
      parse(readFileSync(join(EXAMPLES, name), 'utf8')),
    ),
  ];
  return [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()];
}

const budget = (name: string, spec: object): KubernetesObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name },
  spec: { ...spec },
});
const withContainer = (name: string, more: object): KubernetesObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name },
  spec: { template: { spec: { containers: [{ name, ...more }] } } },
});

/** What the check must find, and with it what it must let pass. */
const FAULTY = [
  budget('unknown-field', { maxUnavailabel: 1 }),
  budget('wrong-type', { maxUnavailable: true }),
  { ...budget('unknown-kind', {}), kind: 'Budget' },
  withContainer('unknown-field-inside', { imagePullPolic: 'Always' }),
  withContainer('wrong-type-inside', { resources: { limits: { cpu: true } } }),
];
const RIGHT = [
  budget('number', { maxUnavailable: 1 }),
  budget('percentage', { maxUnavailable: '50%' }),
  withContainer('quantity', { resources: { limits: { cpu: '1', memory: '64Mi' } } }),
];
