import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
}

const MANIFESTS = resolve(fileURLToPath(import.meta.url), '../../../../deploy/k8s');

export const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

export const parse = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);

const rendered = new Map<string, KubernetesObject[]>();

/**
 * Every object of a kustomization, by its path below `deploy/k8s`.
 * @throws Error with the output of kubectl if it does not build
 */
export function render(path: string): KubernetesObject[] {
  const folder = resolve(MANIFESTS, path);
  const objects =
    rendered.get(folder) ??
    parse(execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
  rendered.set(folder, objects);
  return objects;
}

export interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly [member: string]: unknown;
}

/** As `render`, for a kustomization as an operator writes one; its paths are those below `deploy/k8s`. */
export function renderWith({ resources = [], components = [], ...others }: Kustomization): KubernetesObject[] {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kustomization-'));
  const reached = (paths: readonly string[]): string[] =>
    paths.map((path) => relative(folder, resolve(MANIFESTS, path)));
  const kustomization = { resources: reached(resources), components: reached(components), ...others };
  try {
    writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
    return render(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;
