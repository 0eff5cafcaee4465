import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type KubernetesObject, titleOf } from './render.ts';

/** Packages with the schemas of kinds that operators define, by the group of the kind. */
const CUSTOM: Readonly<Record<string, string>> = {
  'bitnami.com': '@kubernetes-models/sealed-secrets',
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
};

type Validated = new (data: object) => { validate(): void };

const moduleOf = (apiVersion: string): string =>
  `${CUSTOM[apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'}/${apiVersion}`;

async function schemaFault(object: KubernetesObject): Promise<string | null> {
  const models = (await import(moduleOf(object.apiVersion))) as Record<string, Validated | undefined>;
  const Model = models[object.kind];
  if (!Model) return `${titleOf(object)}: ${object.apiVersion} has no such kind`;
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

/** The schemas let misspelt optional fields pass; the compiler does not, when the object is written as a literal. */
export function unknownKeys(objects: readonly KubernetesObject[]): string[] {
  const literals = objects.map(
    (object, index) =>
      `const object${index}: import('${moduleOf(object.apiVersion)}').I${object.kind} = ${JSON.stringify(object)};`,
  );
  const file = fileURLToPath(new URL('./objects.generated.ts', import.meta.url));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, literals.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || fileExists(name);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ start, file: source, messageText }) => {
    const line = source && start !== undefined ? source.getLineAndCharacterOfPosition(start).line : -1;
    const object = objects[line];
    return `${object ? titleOf(object) : 'objects'}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
