import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: Readonly<Record<string, unknown>>;
}

const MANIFESTS = resolve(fileURLToPath(import.meta.url), '../../../../deploy/k8s');

export const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

export const parse = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);

/**
 * Every object of a kustomization below `deploy/k8s`.
 * @throws Error with the output of kubectl if it does not build
 */
export const render = (path: string): KubernetesObject[] =>
  parse(
    execFileSync('kubectl', ['kustomize', resolve(MANIFESTS, path)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

export const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;
