import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
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
/** Each is rendered once; suites of one worker share it. */
function once(key: string, make: () => string): KubernetesObject[] {
  const objects = rendered.get(key) ?? parse(make());
  rendered.set(key, objects);
  return objects;
}

const kustomize = (folder: string): string =>
  execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/**
 * Every object of a kustomization, by its path below `deploy/k8s`.
 * @throws Error with the output of kubectl if it does not build
 */
export const render = (path: string): KubernetesObject[] => once(path, () => kustomize(resolve(MANIFESTS, path)));

interface Kustomization {
  readonly resources?: readonly string[];
  readonly components?: readonly string[];
  readonly [member: string]: unknown;
}

/** As `render`, for a kustomization as an operator writes one; its paths are those below `deploy/k8s`. */
export const renderWith = (wanted: Kustomization): KubernetesObject[] =>
  once(JSON.stringify(wanted), () => {
    const { resources = [], components = [], ...others } = wanted;
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kustomization-'));
    const reached = (paths: readonly string[]): string[] =>
      paths.map((path) => relative(folder, resolve(MANIFESTS, path)));
    const kustomization = { resources: reached(resources), components: reached(components), ...others };
    try {
      writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
      return kustomize(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

const program = new URL('../render-chart.mjs', import.meta.url).href;

/** What `helm template` would print, by Go's template engine. */
export async function chart(values: object = {}): Promise<KubernetesObject[]> {
  const { chartWith } = (await import(program)) as { chartWith(values: object): Promise<string> };
  const text = await chartWith(values);
  return once(`chart ${JSON.stringify(values)}`, () => text).filter(Boolean);
}

export const titleOf = ({ kind, metadata }: KubernetesObject): string => `${kind}/${metadata.name}`;

interface SecurityContext {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly allowPrivilegeEscalation?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly privileged?: boolean;
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  readonly seccompProfile?: { readonly type?: string };
}

interface Container {
  readonly name: string;
  readonly image?: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly securityContext?: SecurityContext;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly livenessProbe?: object;
  readonly readinessProbe?: object;
  readonly startupProbe?: object;
}

interface Pod {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly automountServiceAccountToken?: boolean;
    readonly hostNetwork?: boolean;
    readonly terminationGracePeriodSeconds?: number;
    readonly securityContext?: SecurityContext;
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly topologySpreadConstraints?: readonly object[];
  };
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** Rules by the sentence that describes their violation. */
type Rules<T> = readonly (readonly [string, (subject: T) => boolean])[];

const isPinned = (image: string): boolean => /:(?!latest$)[^/]+$/.test(image);
const SECRET_NAME = /PASSWORD|SECRET|KEY|TOKEN|DATABASE_URL/;

const ANY_CONTAINER: Rules<Container> = [
  [
    'may raise its privileges',
    ({ securityContext: c }) => c?.allowPrivilegeEscalation === false && c.privileged !== true,
  ],
  ['has a writable root file system', ({ securityContext: c }) => c?.readOnlyRootFilesystem === true],
  [
    'keeps capabilities',
    ({ securityContext: c }) => c?.capabilities?.drop?.includes('ALL') === true && !c.capabilities.add?.length,
  ],
  ['runs as root', ({ securityContext: c }) => c?.runAsNonRoot !== false && c?.runAsUser !== 0],
  ['has no limits', ({ resources: r }) => Boolean(r?.limits?.['cpu'] && r.limits['memory'])],
  ['has no requests', ({ resources: r }) => Boolean(r?.requests?.['cpu'] && r.requests['memory'])],
  ['has an image without a version', ({ image = '' }) => isPinned(image)],
  [
    'has a secret in its manifest',
    ({ env = [] }) => env.every(({ name, value }) => value === undefined || !SECRET_NAME.test(name)),
  ],
];

const LASTING_CONTAINER: Rules<Container> = [
  [
    'lacks a probe',
    (container) => Boolean(container.livenessProbe && container.readinessProbe && container.startupProbe),
  ],
];

const ANY_POD: Rules<Pod> = [
  ['may run as root', ({ spec: { securityContext: c } }) => c?.runAsNonRoot === true && (c.runAsUser ?? 0) > 0],
  ['has no seccomp profile', ({ spec: { securityContext: c } }) => c?.seccompProfile?.type === 'RuntimeDefault'],
  ['gets a token of the cluster', ({ spec }) => spec.automountServiceAccountToken === false],
  ['is on the network of its node', ({ spec }) => spec.hostNetwork !== true],
];

const broken = <T>(rules: Rules<T>, subject: T): string[] =>
  rules.filter(([, holds]) => !holds(subject)).map(([fault]) => fault);

function expressionHolds(
  labels: Readonly<Record<string, string>>,
  { key, operator, values = [] }: NonNullable<Selector['matchExpressions']>[number],
): boolean {
  const value = labels[key];
  const listed = value !== undefined && values.includes(value);
  const outcome: Record<string, boolean> = {
    In: listed,
    NotIn: !listed,
    Exists: value !== undefined,
    DoesNotExist: value === undefined,
  };
  return outcome[operator] ?? false;
}

/** Whether a Kubernetes label selector matches these labels. */
export function selects(
  { matchLabels = {}, matchExpressions = [] }: Selector,
  labels: Readonly<Record<string, string>>,
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((expression) => expressionHolds(labels, expression))
  );
}

/** The pod of a workload; a CronJob's is that of the Jobs that it makes. */
const podOf = ({ kind, spec }: KubernetesObject): Pod | undefined =>
  kind === 'CronJob'
    ? (spec?.['jobTemplate'] as { readonly spec: { readonly template: Pod } }).spec.template
    : (spec?.['template'] as Pod | undefined);
const labelsOf = (pod: Pod): Readonly<Record<string, string>> => pod.metadata?.labels ?? {};

/** Policies that select these pods, apart from the one that denies all traffic by default. */
const policiesFor = (objects: readonly KubernetesObject[], pod: Pod): KubernetesObject[] =>
  objects.filter(({ kind, spec }) => {
    const selector = (spec?.['podSelector'] ?? {}) as Selector;
    return kind === 'NetworkPolicy' && Object.keys(selector).length > 0 && selects(selector, labelsOf(pod));
  });

function podFaults(objects: readonly KubernetesObject[], owner: KubernetesObject, pod: Pod): string[] {
  const containers = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
  const rules = ['Job', 'CronJob'].includes(owner.kind) ? ANY_CONTAINER : [...ANY_CONTAINER, ...LASTING_CONTAINER];
  const faults = [
    ...broken(ANY_POD, pod),
    ...containers.flatMap((container) => broken(rules, container).map((fault) => `${container.name} ${fault}`)),
  ];
  if (policiesFor(objects, pod).length === 0) faults.push('has no network policy');
  return faults.map((fault) => `${titleOf(owner)}: ${fault}`);
}

/** The objects that each deployment needs. */
function deploymentFaults(objects: readonly KubernetesObject[], deployment: KubernetesObject, pod: Pod): string[] {
  const picked = (kind: string, selectorOf: (spec: Readonly<Record<string, unknown>>) => unknown): boolean =>
    objects.some(
      (object) =>
        object.kind === kind && object.spec && selects({ ...(selectorOf(object.spec) as Selector) }, labelsOf(pod)),
    );
  const companions: readonly (readonly [string, boolean])[] = [
    ['has no disruption budget', picked('PodDisruptionBudget', (spec) => spec['selector'])],
    ['is reached by no Service', picked('Service', (spec) => ({ matchLabels: spec['selector'] }))],
    [
      'is not scaled',
      objects.some(
        ({ kind, spec }) =>
          kind === 'HorizontalPodAutoscaler' &&
          (spec?.['scaleTargetRef'] as { name?: string }).name === deployment.metadata.name,
      ),
    ],
    ['is not spread', (pod.spec.topologySpreadConstraints ?? []).length > 0],
  ];
  return companions.filter(([, present]) => !present).map(([fault]) => `${titleOf(deployment)}: ${fault}`);
}

/** A Job that hangs would hold up a release, or the next one of its CronJob. */
function deadlineFaults(object: KubernetesObject): string[] {
  const { jobTemplate, ...own } = (object.spec ?? {}) as { jobTemplate?: { spec: object } };
  const isJob = ['Job', 'CronJob'].includes(object.kind);
  const hasDeadline = 'activeDeadlineSeconds' in (jobTemplate?.spec ?? own);
  return isJob && !hasDeadline ? [`${titleOf(object)}: has no deadline`] : [];
}

/** All violations of the policy in these objects, one line each. */
export function policyFaults(objects: readonly KubernetesObject[]): string[] {
  const denies = objects.some(
    ({ kind, spec }) =>
      kind === 'NetworkPolicy' && JSON.stringify(spec) === '{"podSelector":{},"policyTypes":["Ingress","Egress"]}',
  );
  const faults = objects.flatMap((object) => {
    const pod = podOf(object);
    if (!pod) return object.kind === 'Secret' ? [`${titleOf(object)}: a secret is in the manifests`] : [];
    return [
      ...podFaults(objects, object, pod),
      ...deadlineFaults(object),
      ...(object.kind === 'Deployment' ? deploymentFaults(objects, object, pod) : []),
    ];
  });
  return denies ? faults : [...faults, 'nothing denies what is not allowed'];
}

interface Secret {
  readonly metadata: { readonly name: string };
  readonly stringData: Readonly<Record<string, string>>;
}

/** The Secrets of a new installation in Kubernetes. */
export function madeSecrets(): readonly Secret[] {
  const program = fileURLToPath(new URL('../../../deploy/make-secrets.mjs', import.meta.url));
  const output = execFileSync(process.execPath, [program, '--kubernetes'], { encoding: 'utf8' });
  return (JSON.parse(output) as { items: Secret[] }).items;
}
