import { DATABASES, databaseSettings } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyFaults, selects } from './policy.ts';
import { hasKubectl, type KubernetesObject, parse, renderWith, titleOf } from './policy.ts';
import { schemaFaults } from './schema.ts';

(hasKubectl ? describe : describe.skip)('backups in the cluster', () => {
  const of = (overlay: string): KubernetesObject[] =>
    hasKubectl
      ? renderWith({
          resources: [`overlays/${overlay}`, 'jobs/restore', 'jobs/restore-organization'],
          components: ['components/backup', 'components/backup-verification'],
        })
      : [];
  const [local, production] = [of('local'), of('production')];
  const named = (objects: readonly KubernetesObject[], title: string): KubernetesObject | undefined =>
    objects.find((object) => titleOf(object) === title);
  const policiesOf = (objects: readonly KubernetesObject[], labels: Readonly<Record<string, string>>): Policy[] =>
    objects
      .filter(({ kind }) => kind === 'NetworkPolicy')
      .map(({ spec }) => spec as object as Policy)
      .filter(({ podSelector }) => selects(podSelector, labels));
  const containerOf = (title: string): Container | undefined => {
    const { jobTemplate, template } = (named(local, title)?.spec ?? {}) as {
      jobTemplate?: { spec: { template: PodTemplate } };
      template?: PodTemplate;
    };
    return (jobTemplate?.spec.template ?? template)?.spec.containers[0];
  };

  it.each([
    ['local', local],
    ['production', production],
  ])('fit the schemas of Kubernetes and keep to the policy in %s', async (_, objects) => {
    expect(await schemaFaults(objects)).toEqual([]);
    expect(policyFaults(objects)).toEqual([]);
    const own = objects.filter(({ metadata }) => /^(backups?|backup-verification|restore.*)$/.test(metadata.name));
    expect(own.map(titleOf).sort()).toEqual([
      'CronJob/backup',
      'CronJob/backup-verification',
      'Job/restore',
      'Job/restore-organization',
      'NetworkPolicy/backup',
      'NetworkPolicy/backup-verification',
      'NetworkPolicy/restore-organization',
      'NetworkPolicy/restore-organization-at-services',
      'PersistentVolumeClaim/backups',
    ]);
  });

  it.each(['CronJob/backup', 'Job/restore'])('%s knows the owner of every database, and no other secret', (title) => {
    expect(containerOf(title)?.env).toEqual(
      DATABASES.map((name) => ({
        name: databaseSettings(name).owner,
        valueFrom: { secretKeyRef: { name: `gatehouse-${name}-migrate`, key: databaseSettings(name).owner } },
      })),
    );
    expect(JSON.stringify(named(local, title)?.spec)).not.toContain('secretRef');
  });

  it('reach PostgreSQL, inside the cluster or outside, and nothing else; nothing reaches them', () => {
    for (const objects of [local, production]) {
      const policies = policiesOf(objects, LABELS);
      const ports = policies.flatMap(({ egress = [] }) => egress.flatMap(({ ports: open = [] }) => open));
      expect([...new Set(ports.map(({ port }) => port))].sort()).toEqual([53, 5432]);
      expect(policies.flatMap(({ ingress = [] }) => ingress)).toEqual([]);
    }
    const peers = policiesOf(local, POSTGRES).flatMap(({ ingress = [] }) => ingress.flatMap(({ from = [] }) => from));
    expect(peers.some(({ podSelector }) => podSelector && selects(podSelector, LABELS))).toBe(true);
    expect(policiesOf(production, LABELS)).toHaveLength(3);
  });

  it('are verified every week by a pod that reads their volume alone, and reaches nothing', () => {
    const labels = { 'app.kubernetes.io/name': 'backup-verification' };
    for (const objects of [local, production]) {
      const policies = policiesOf(objects, { ...labels, 'app.kubernetes.io/component': 'backup-verification' });
      expect(policies.length).toBeGreaterThan(0);
      expect(policies.flatMap(({ egress = [] }) => egress)).toEqual([]);
      const monitoring = { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } };
      expect(policies.flatMap(({ ingress = [] }) => ingress)).toEqual([
        { from: [{ namespaceSelector: monitoring }], ports: [{ port: 'admin' }] },
      ]);
    }
    expect(containerOf('CronJob/backup-verification')?.args.slice(0, 3)).toEqual([
      'verify-backup',
      '--from',
      '/backups',
    ]);
    expect(containerOf('CronJob/backup-verification')?.args.slice(5)).toEqual(['--metrics', '9090']);
    expect(named(production, 'PodMonitor/gatehouse')?.spec).toMatchObject({
      selector: { matchExpressions: [{ values: expect.arrayContaining(['backup-verification']) }] },
      podMetricsEndpoints: [{ port: 'admin' }],
    });
    expect(JSON.stringify(named(local, 'CronJob/backup-verification'))).not.toContain('secret');
  });

  it('give one organisation back beside a PostgreSQL of the pod alone, by an operator whom the audit log names', () => {
    const { args = [], env = [] } = containerOf('Job/restore-organization') ?? {};
    expect(args.slice(0, 3)).toEqual(['restore-organization', '--from', '/backups']);
    expect(args).toEqual(expect.arrayContaining(['postgres://postgres@127.0.0.1:5432/postgres', '--as', '--ticket']));
    // What is applied as it stands changes nothing.
    expect(args.at(-1)).toBe('--check');
    expect(env.map(({ name }) => name)).toEqual([
      ...DATABASES.map((name) => databaseSettings(name).owner),
      'IDENTITY_URL',
      'TENANCY_URL',
      'OPERATOR_PRIVATE_KEY',
    ]);
    const scratch = (title: string): unknown =>
      /"command":\[[^\]]*"fsync=off"\]/.exec(JSON.stringify(named(local, title)))?.[0];
    expect(scratch('Job/restore-organization')).toEqual(scratch('CronJob/backup-verification'));
  });

  it('verify PostgreSQL by a private authority, where the services do', () => {
    const objects = renderWith({
      resources: ['overlays/production'],
      components: ['components/backup', 'components/store-tls'],
      namespace: 'gatehouse',
    });
    const text = JSON.stringify(named(objects, 'CronJob/backup'));
    expect(text).toContain('{"name":"DATABASE_CA_FILE","value":"/etc/gatehouse/authorities/postgres.pem"}');
    expect(text).toContain('{"mountPath":"/etc/gatehouse/authorities","name":"authorities","readOnly":true}');
  });

  it('write and read the same folder of one volume, of which a number of backups is kept', () => {
    expect(containerOf('CronJob/backup')?.args).toEqual(['backup', '--to', '/backups', '--keep', '14']);
    expect(containerOf('Job/restore')?.args).toEqual(['restore', '--from', '/backups']);
  });
});

describe('the example for CloudNativePG', () => {
  it('sends the log and the backups of one cluster, encrypted, to one store, from which another is restored', () => {
    expect(specOf('ObjectStore/gatehouse')).toMatchObject({
      configuration: { wal: { encryption: 'AES256' }, data: { encryption: 'AES256' } },
    });
    const plugin = { name: 'barman-cloud.cloudnative-pg.io' };
    const store = { barmanObjectName: 'gatehouse' };
    expect(specOf('Cluster/gatehouse')).toMatchObject({
      plugins: [{ ...plugin, isWALArchiver: true, parameters: store }],
      managed: { roles: [{ createdb: true, createrole: true }] },
    });
    expect(specOf('ScheduledBackup/gatehouse')).toMatchObject({
      cluster: { name: 'gatehouse' },
      method: 'plugin',
      pluginConfiguration: plugin,
    });
    expect(specOf('Cluster/gatehouse-restored')).toMatchObject({
      bootstrap: { recovery: { source: 'gatehouse', recoveryTarget: { targetTime: expect.any(String) } } },
      externalClusters: [
        { name: 'gatehouse', plugin: { ...plugin, parameters: { ...store, serverName: 'gatehouse' } } },
      ],
    });
  });

  const text = readFileSync(join(import.meta.dirname, '../../../deploy/k8s/examples/cloudnative-pg.yaml'), 'utf8');
  const objects = parse(text);
  const specOf = (title: string): unknown => objects.find((object) => titleOf(object) === title)?.spec;
});

type Selector = Parameters<typeof selects>[0];

interface Policy {
  readonly podSelector: Selector;
  readonly ingress?: readonly { readonly from?: readonly { readonly podSelector?: Selector }[] }[];
  readonly egress?: readonly { readonly ports?: readonly { readonly port: number | string }[] }[];
}

interface Container {
  readonly env: readonly { readonly name: string; readonly valueFrom: { readonly secretKeyRef: object } }[];
  readonly args: readonly string[];
}

interface PodTemplate {
  readonly spec: { readonly containers: readonly Container[] };
}

const LABELS = { 'app.kubernetes.io/name': 'backup', 'app.kubernetes.io/component': 'backup' };
const POSTGRES = { 'app.kubernetes.io/name': 'postgres', 'app.kubernetes.io/component': 'part' };
