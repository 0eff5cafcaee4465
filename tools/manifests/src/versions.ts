import { join } from 'node:path';
import type { KubernetesObject } from './policy.ts';
import { compilerFaults, isBuiltIn, MODULES } from './schema.ts';

/** The oldest and the newest version of Kubernetes whose schemas packages `cdk8s-plus-<minor>` hold, as types. */
export const VERSIONS = ['1.31', '1.34'] as const;
type Version = (typeof VERSIONS)[number];

/** The types have classes for quantities, enumerations for closed lists, and dates: as JSON all of them are text. */
const PLAIN = `
type Same<T, U> = T extends U ? (U extends T ? true : false) : false;
type Plain<T> = T extends string ? (string extends T ? string : \`\${T}\`)
  : T extends Date ? string
  : Same<T, k8s.Quantity> extends true ? string | number
  : T extends readonly (infer U)[] ? readonly Plain<U>[]
  : T extends object ? { [K in keyof T]: Plain<T[K]> }
  : T;`;

/** The types write \`clusterIP\` as \`clusterIp\`. */
const typed = (key: string): string =>
  key.replace(/([a-z][A-Z])([A-Z]+)$/, (_, first: string, rest: string) => first + rest.toLowerCase());

const withTypedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withTypedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [typed(key), withTypedKeys(member)]));
};

/** `v1` is not part of a type's name, `v2` and `v1beta1` are. */
function typeOf({ apiVersion, kind }: KubernetesObject): string {
  const version = apiVersion.split('/').at(-1) ?? '';
  const suffix = version === 'v1' ? '' : version.replace(/^v/, 'V').replace('alpha', 'Alpha').replace('beta', 'Beta');
  return `Kube${kind}${suffix}Props`;
}

/** Unknown fields and kinds, wrong types, missing fields, values outside their list, in one version: one line each. */
export function versionFaults(version: Version, objects: readonly KubernetesObject[]): string[] {
  const own = objects.filter(isBuiltIn);
  const types = join(MODULES, `cdk8s-plus-${version.split('.')[1]}`, 'lib/imports/k8s.js');
  const preamble = [`import type * as k8s from '${types}';`, ...PLAIN.trim().split('\n')];
  const literals = own.map((object, index) => {
    const { apiVersion: _, kind, ...rest } = object;
    return `export const object${index}: Plain<k8s.${typeOf(object)}> = ${JSON.stringify(withTypedKeys(rest))}; // ${kind}`;
  });
  return compilerFaults(own, literals, preamble);
}
