import { DATABASES, SERVICE_NAMES, SERVICES } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { policyFaults } from './policy.ts';
import { hasKubectl, type KubernetesObject, parse, render, renderWith, titleOf } from './policy.ts';
import { schemaFaults } from './schema.ts';

const REPOSITORY = join(import.meta.dirname, '../../..');
const read = (...path: string[]): string => readFileSync(join(REPOSITORY, ...path), 'utf8');
const isMigration = ({ kind, metadata }: KubernetesObject): boolean =>
  kind === 'Job' && metadata.labels?.['app.kubernetes.io/component'] === 'migration';

describe('the examples for Argo CD and Flux', () => {
  it('fit the schemas of their kinds', async () => {
    expect(await schemaFaults([...example('argo-cd.yaml'), ...example('flux.yaml')])).toEqual([]);
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
    const own = [...SERVICES.map(({ name }) => name), 'backup', 'operate', 'pgbouncer'];
    const exporters = ['quay.io/prometheuscommunity/postgres-exporter', 'natsio/prometheus-nats-exporter'];
    const others = ['nats', 'redis', ...exporters, 'oliver006/redis_exporter'];
    const released = renderWith({
      resources: ['overlays/production', 'jobs/operate', 'jobs/restore-organization'],
      components: ['backup', 'backup-verification', 'pgbouncer', 'exporters'].map((name) => `components/${name}`),
      images: [...own.map((name) => `gatehouse/${name}`), ...others].map(named),
    });
    const images = imagesOf(released);
    const all = images.flatMap(([, each]) => each);
    expect(all.length).toBeGreaterThan(imagesOf(objects).length + 5);
    for (const image of all) expect(image).toMatch(/^registry\.example\.com\/[\w./-]+@sha256:5{64}$/);
    const imageOf = (title: string): string[] | undefined => images.find(([named]) => named === title)?.[1];
    for (const database of DATABASES)
      expect(imageOf(`Job/${database}-migrate`)).toEqual(imageOf(`Deployment/${database}`));
    expect(policyFaults(released)).toEqual([]);
  });
});

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** Its scripts run here, with a `docker` that writes down what it is asked. GitHub, a registry and a scanner do not. */
describe('the workflow of a release', () => {
  it('runs the code of others by commit alone, and gives each job no more rights than its work needs', () => {
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses = [] }) => uses));
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
    expect(text.match(/uses: \S+$/gm)).toBeNull();
    expect([permissions, ...Object.values(jobs).map((job) => job.permissions)]).toEqual([
      {},
      { contents: 'read' },
      { contents: 'read' },
      { contents: 'read', packages: 'write' },
      { packages: 'write', 'id-token': 'write' },
    ]);
  });

  it('builds every image from the same bases by digest, with provenance and a bill of materials', () => {
    const [planned = ''] = run('plan', 'images').outputs;
    expect((JSON.parse(planned.replace('images=', '')) as string[]).sort()).toEqual([...IMAGES].sort());
    const bases = Object.fromEntries(
      run('plan', 'bases').outputs.map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]),
    );
    const asked = [...dockerfile.matchAll(/^ARG (?:BASE|POSTGRES)_IMAGE=(.+)$/gm)].map(([, image]) => image);
    expect(Object.values(bases)).toEqual(asked.map((image) => `${image}@${DIGEST}`));

    const { calls } = run('build', 'images', { ARCH: 'arm64', IMAGES: JSON.stringify(IMAGES) });
    expect(calls).toHaveLength(IMAGES.length);
    for (const [at, image] of IMAGES.entries()) {
      const target = SERVICE_NAMES.some((name) => name === image) ? 'service' : image;
      expect(dockerfile).toContain(` AS ${target}\n`);
      expect(calls[at]).toContain(`--target ${target} --platform linux/arm64 --build-arg SERVICE=`);
      expect(calls[at]).toContain('--build-arg BASE_IMAGE --build-arg POSTGRES_IMAGE ');
      expect(calls[at]).toContain('--provenance mode=max --sbom true ');
      expect(calls[at]).toContain(`--tag ghcr.io/acme/gatehouse/${image}:1.2.3-arm64 --push .`);
    }
  });

  it('gives an image its name only after both halves were scanned, and signs it by its digest', () => {
    const kinds = stepsOf('publish').map(({ id, uses }) => id ?? uses?.split('@')[0]);
    expect(kinds.slice(-4)).toEqual([
      'aquasecurity/trivy-action',
      'aquasecurity/trivy-action',
      'sigstore/cosign-installer',
      'sign',
    ]);
    const name = 'ghcr.io/acme/gatehouse/pam:1.2.3';
    expect(run('publish', 'sign', { NAME: name }).calls).toEqual([
      `docker buildx imagetools create --tag ${name} ${name}-amd64 ${name}-arm64`,
      `docker buildx imagetools inspect ${name} --format {{.Manifest.Digest}}`,
      `cosign sign --yes --recursive ghcr.io/acme/gatehouse/pam@${DIGEST}`,
    ]);
  });

  const text = read('.github/workflows/release.yml');
  const { permissions, jobs } = parseYaml(text) as { permissions: object; jobs: Readonly<Record<string, Job>> };
  const dockerfile = read('deploy/docker/service.Dockerfile');
  const DIGEST = `sha256:${'a'.repeat(64)}`;
  const IMAGES = [...SERVICE_NAMES, 'operate', 'backup'];
  const stepsOf = (job: string): readonly Step[] => jobs[job]?.steps ?? [];

  /** Runs the script of a step. @returns its outputs, and what it called */
  function run(job: string, id: string, env: Readonly<Record<string, string>> = {}) {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
    const [calls, outputs] = [join(directory, 'calls'), join(directory, 'outputs')];
    const called = `#!/bin/sh\necho "$(basename "$0") $*" >> ${calls}\necho ${DIGEST}\n`;
    for (const name of ['docker', 'cosign']) writeFileSync(join(directory, name), called, { mode: 0o755 });
    for (const file of [calls, outputs]) writeFileSync(file, '');
    const given = { IMAGES_AT: 'ghcr.io/Acme/Gatehouse', TAG: 'v1.2.3', GITHUB_SHA: 'f00', ...env };
    const files = { GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: outputs, PATH: `${directory}:${process.env['PATH']}` };
    const script = stepsOf(job).find((step) => step.id === id)?.run ?? 'exit 9';
    execFileSync('bash', ['-e', '-c', script], { cwd: REPOSITORY, env: { ...process.env, ...given, ...files } });
    const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trim().split('\n');
    const answer = { calls: linesOf(calls), outputs: linesOf(outputs) };
    rmSync(directory, { recursive: true });
    return answer;
  }
});

const example = (file: string): KubernetesObject[] => parse(read('deploy/k8s/examples', file));

const annotation = ({ metadata }: KubernetesObject, name: string): string | undefined => metadata.annotations?.[name];
const waveOf = (object: KubernetesObject): number => Number(annotation(object, 'argocd.argoproj.io/sync-wave') ?? 0);

/** The images of every workload, by its title. */
const imagesOf = (objects: readonly KubernetesObject[]): [string, string[]][] =>
  objects
    .map((object): [string, string[]] => [
      titleOf(object),
      [...JSON.stringify(object.spec ?? {}).matchAll(/"image":"([^"]+)"/g)].map(([, image = '']) => image),
    ])
    .filter(([, images]) => images.length > 0);
