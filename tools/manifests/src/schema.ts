import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { type KubernetesObject, titleOf } from './policy.ts';

/** Packages with the schemas of kinds that operators define, by the group of the kind. */
const CUSTOM: Readonly<Record<string, string>> = {
  'argoproj.io': '@kubernetes-models/argo-cd',
  'bitnami.com': '@kubernetes-models/sealed-secrets',
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'kustomize.toolkit.fluxcd.io': '@kubernetes-models/flux-cd',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

type Validated = new (data: object) => { validate(): void };

/** Whether Kubernetes itself defines the kind. */
export const isBuiltIn = ({ apiVersion }: KubernetesObject): boolean =>
  CUSTOM[apiVersion.split('/')[0] ?? ''] === undefined;

export const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** The file of one kind: the package's own entrance would load every kind of the group. */
const fileOf = ({ apiVersion, kind }: KubernetesObject): string =>
  join(MODULES, CUSTOM[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models', apiVersion, `${kind}.js`);

async function schemaFault(object: KubernetesObject): Promise<string | null> {
  const file = fileOf(object);
  if (!existsSync(file)) return `${titleOf(object)}: ${object.apiVersion} has no such kind`;
  const models = (await import(pathToFileURL(file).href)) as Record<string, Validated>;
  const Model = models[object.kind] as Validated;
  try {
    new Model(object).validate();
    return null;
  } catch (error) {
    return `${titleOf(object)}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Wrong types, missing fields, values outside their list: one line each. */
export async function schemaFaults(objects: readonly KubernetesObject[]): Promise<string[]> {
  const faults: string[] = [];
  // One after the other: jest cannot load the same module twice at once.
  for (const object of objects) faults.push((await schemaFault(object)) ?? '');
  return faults.filter(Boolean);
}

/** The types of Kubernetes, which are parsed once. */
const sources = new Map<string, ts.SourceFile | undefined>();

/**
 * What the compiler says of each object that is written as a literal, one line each.
 * @param literals one line for each object
 * @param preamble lines before them
 */
export function compilerFaults(
  objects: readonly KubernetesObject[],
  literals: readonly string[],
  preamble: readonly string[] = [],
): string[] {
  const text = [...preamble, ...literals].join('\n');
  const file = fileURLToPath(new URL('./objects.generated.ts', import.meta.url));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) => {
    if (name === file) return ts.createSourceFile(name, text, ts.ScriptTarget.ES2022);
    const source = sources.get(name) ?? getSourceFile(name, ...rest);
    sources.set(name, source);
    return source;
  };
  host.fileExists = (name) => name === file || fileExists(name);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ start, file: source, messageText }) => {
    const line = source && start !== undefined ? source.getLineAndCharacterOfPosition(start).line : -1;
    const object = objects[line - preamble.length];
    return `${object ? titleOf(object) : 'objects'}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** The schemas let misspelt optional fields pass; the compiler does not, when the object is written as a literal. */
export const unknownKeys = (objects: readonly KubernetesObject[]): string[] =>
  compilerFaults(
    objects,
    objects.map(
      (object, index) =>
        `const object${index}: import('${fileOf(object)}').I${object.kind} = ${JSON.stringify(object)};`,
    ),
  );
