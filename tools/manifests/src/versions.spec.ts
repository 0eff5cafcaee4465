import { describe, expect, it } from '@jest/globals';
import { chart, hasKubectl, type KubernetesObject, render, renderWith, titleOf } from './policy.ts';
import { VERSIONS, versionFaults } from './versions.ts';

/** All that the manifests can be made to, each different object once. */
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
    ...renderWith({ resources: ['overlays/production', 'jobs/restore'], components: ['components/managed-redis'] }),
    ...(await chart({ host: 'gatehouse.example.com', backup: { enabled: true } })),
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

(hasKubectl ? describe : describe.skip)('the manifests and the chart', () => {
  it.each(VERSIONS)('fit the schemas of Kubernetes %s, which find what does not', async (version) => {
    const objects = await everything();
    expect(objects.length).toBeGreaterThan(100);
    const faults = versionFaults(version, [...objects, ...RIGHT, ...FAULTY]);
    expect(faults.map((fault) => fault.split(':')[0])).toEqual(FAULTY.map(titleOf));
  });
});
