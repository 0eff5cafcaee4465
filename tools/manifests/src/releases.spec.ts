import { DATABASES, SERVICES } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyFaults } from './policy.ts';
import { hasKubectl, type KubernetesObject, parse, render, renderWith, titleOf } from './policy.ts';
import { schemaFaults, unknownKeys } from './schema.ts';

const example = (file: string): KubernetesObject[] =>
  parse(readFileSync(join(import.meta.dirname, '../../../deploy/k8s/examples', file), 'utf8'));

const annotation = ({ metadata }: KubernetesObject, name: string): string | undefined => metadata.annotations?.[name];
const waveOf = (object: KubernetesObject): number => Number(annotation(object, 'argocd.argoproj.io/sync-wave') ?? 0);
const isMigration = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Job' && metadata.labels?.['app.kubernetes.io/component'] === 'migration';

/** The images of every workload, by its title. */
const imagesOf = (objects: readonly KubernetesObject[]): [string, string[]][] =>
  objects
    .map((object): [string, string[]] => [
      titleOf(object),
      [...JSON.stringify(object.spec ?? {}).matchAll(/"image":"([^"]+)"/g)].map(([, image = '']) => image),
    ])
    .filter(([, images]) => images.length > 0);

describe('the examples for Argo CD and Flux', () => {
  it('fit the schemas of their kinds', async () => {
    const objects = [...example('argo-cd.yaml'), ...example('flux.yaml')];
    expect([...(await schemaFaults(objects)), ...unknownKeys(objects)]).toEqual([]);
  });
});

(hasKubectl ? describe : describe.skip)('a release', () => {
  const objects = hasKubectl ? render('overlays/production') : [];
  const migrations = objects.filter(isMigration);

  it('migrates every database before Argo CD replaces a pod, and after what migrations need', () => {
    expect(migrations.map(({ metadata }) => metadata.name).sort()).toEqual(
      DATABASES.map((database) => `${database}-migrate`).sort(),
    );
    const first = Math.min(...migrations.map(waveOf));
    const needed = ['Namespace', 'ConfigMap', 'NetworkPolicy', 'Service', 'StatefulSet'];
    for (const object of objects) {
      if (needed.includes(object.kind)) expect([titleOf(object), waveOf(object)]).toEqual([titleOf(object), 0]);
      if (['Deployment', 'HorizontalPodAutoscaler'].includes(object.kind))
        expect(waveOf(object)).toBeGreaterThan(Math.max(...migrations.map(waveOf)));
    }
    expect(first).toBeGreaterThan(0);
  });

  it('waits for nothing that becomes ready only later: a volume at its first backup, the address of an entrance', () => {
    const all = renderWith({ resources: ['overlays/production'], components: ['components/backup'] });
    const routes = renderWith({ resources: ['base'], components: ['components/gateway-api'] });
    // Argo CD waits until all objects of a wave are healthy, except those of the last one.
    const last = Math.max(...all.map(waveOf));
    const late = [...all, ...routes].filter(({ kind }) =>
      ['PersistentVolumeClaim', 'Ingress', 'HTTPRoute'].includes(kind),
    );
    expect(late.map((object) => [titleOf(object), waveOf(object)])).toEqual([
      ['PersistentVolumeClaim/backups', last],
      ['Ingress/gatehouse', last],
      ['HTTPRoute/gatehouse', last],
      ['HTTPRoute/gatehouse-to-https', last],
    ]);
  });

  it('replaces finished Jobs, which cannot change, and sees no drift in them', () => {
    for (const job of migrations) {
      expect(annotation(job, 'argocd.argoproj.io/hook')).toBe('Sync');
      expect(annotation(job, 'argocd.argoproj.io/hook-delete-policy')).toBe('BeforeHookCreation');
      expect(annotation(job, 'kustomize.toolkit.fluxcd.io/force')).toBe('enabled');
      // Flux would start a Job anew that has removed itself.
      expect(job.spec).not.toHaveProperty('ttlSecondsAfterFinished');
    }
  });

  it('leaves the number of replicas to the autoscaler', () => {
    const fixed = objects.filter(({ kind, spec }) => kind === 'Deployment' && spec && 'replicas' in spec);
    expect(fixed.map(titleOf)).toEqual([]);
  });

  it('is taken apart by the Kustomizations of Flux: all objects, none twice; services and backups wait for migrations', () => {
    const own = { resources: ['overlays/production'], components: ['components/backup'] };
    const parts = example('flux.yaml').map(({ spec }) => ({
      spec,
      titles: renderWith({ ...own, patches: spec?.['patches'] }).map(titleOf),
    }));
    const all = parts.flatMap(({ titles }) => titles);
    expect(all.sort()).toEqual(renderWith(own).map(titleOf).sort());
    const [, services, backups] = parts;
    const kinds = new Set(services?.titles.map((title) => title.split('/')[0]));
    expect([...kinds].sort()).toEqual(['Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'PodDisruptionBudget']);
    expect(backups?.titles.sort()).toEqual(['CronJob/backup', 'NetworkPolicy/backup', 'PersistentVolumeClaim/backups']);
    for (const part of [services, backups])
      expect(part?.spec).toMatchObject({ dependsOn: [{ name: 'gatehouse-migrations' }] });
    // A volume may stay pending until its first use; it is never removed.
    expect(backups?.spec).toMatchObject({ prune: false });
    expect(backups?.spec).not.toHaveProperty('wait');
  });

  it('runs images by digest from a registry of the operator', () => {
    const digest = `sha256:${'5'.repeat(64)}`;
    const named = (name: string) => ({ name, newName: `registry.example.com/${name}`, digest });
    const others = ['nats', 'redis'];
    const released = renderWith({
      resources: ['overlays/production'],
      images: [...SERVICES.map(({ name }) => `gatehouse/${name}`), ...others].map(named),
    });
    const images = imagesOf(released);
    expect(images).toHaveLength(imagesOf(objects).length);
    for (const [, [image]] of images) expect(image).toMatch(/^registry\.example\.com\/[\w/-]+@sha256:5{64}$/);
    const imageOf = (title: string): string[] | undefined => images.find(([named]) => named === title)?.[1];
    for (const database of DATABASES)
      expect(imageOf(`Job/${database}-migrate`)).toEqual(imageOf(`Deployment/${database}`));
    expect(policyFaults(released)).toEqual([]);
  });
});
