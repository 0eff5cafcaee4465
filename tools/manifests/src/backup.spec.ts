import { DATABASES, databaseSettings } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { policyFaults, selects } from './policy.ts';
import { hasKubectl, type KubernetesObject, renderWith, titleOf } from './policy.ts';
import { schemaFaults, unknownKeys } from './schema.ts';

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

(hasKubectl ? describe : describe.skip)('backups in the cluster', () => {
  const of = (overlay: string): KubernetesObject[] =>
    hasKubectl
      ? renderWith({ resources: [`overlays/${overlay}`, 'jobs/restore'], components: ['components/backup'] })
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
    const own = objects.filter(({ metadata }) => ['backup', 'backups', 'restore'].includes(metadata.name));
    expect(own.map(titleOf).sort()).toEqual([
      'CronJob/backup',
      'Job/restore',
      'NetworkPolicy/backup',
      'PersistentVolumeClaim/backups',
    ]);
    expect(unknownKeys(own)).toEqual([]);
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
