import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments, stringify } from 'yaml';

// Writes the Helm chart from the Kustomize base and the components of the Ingress and of backups, so that both say the
// same:
//   node tools/manifests/chart.mjs [--check]
// The templates use the functions of Go's templates alone, none of Helm's own: any engine of Go's templates renders
// them.

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const CHART = join(REPOSITORY, 'deploy/helm/gatehouse');
const HOOK = { 'helm.sh/hook': 'pre-install,pre-upgrade', 'helm.sh/hook-delete-policy': 'before-hook-creation' };
const SETTINGS = 'gatehouse-settings';
const GATEWAY_SETTINGS = 'gateway-settings';
/** The value that adds an object to those of the base. */
const ADDED_BY = {
  'Ingress/gatehouse': '.Values.host',
  'NetworkPolicy/gateway-entrance': '.Values.host',
  'CronJob/backup': '.Values.backup.enabled',
  'PersistentVolumeClaim/backups': '.Values.backup.enabled',
  'NetworkPolicy/backup': '.Values.backup.enabled',
};

const titleOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;
const documents = (text) => parseAllDocuments(text).map((document) => document.toJS());

/** The base and the components. ConfigMaps lose the hash of their names: Helm has none. */
function source() {
  const text = execFileSync('kubectl', ['kustomize', join(REPOSITORY, 'tools/manifests/chart-source')], {
    encoding: 'utf8',
  });
  return documents(text.replace(/\b(gatehouse|gateway)-settings-[a-z0-9]{10}\b/g, '$1-settings'));
}

/** Stands in a scalar until it is written as YAML, where the template takes its place. */
const slot = (template) => `<<${template}>>`;
const filled = (yaml) => yaml.replace(/(["']?)<<(.+?)>>\1/g, (_, __, template) => template.replaceAll("''", "'"));
const quoted = (...keys) => slot(`{{ printf "%q" (index .Values ${keys.map((key) => `"${key}"`).join(' ')}) }}`);
const number = (...keys) => slot(`{{ index .Values ${keys.map((key) => `"${key}"`).join(' ')} }}`);

const hooked = (metadata, weight) => ({
  ...metadata,
  annotations: { ...metadata.annotations, ...HOOK, 'helm.sh/hook-weight': weight },
});

const backupContainer = (cronJob) => cronJob.spec.jobTemplate.spec.template.spec.containers[0];
const keepOf = ({ args }) => args.indexOf('--keep') + 1;

/** What differs from the base, by kind. */
const CHANGES = {
  Deployment: (object) => {
    const [container] = object.spec.template.spec.containers;
    container.image = quoted('images', object.metadata.name);
    // Changed settings replace the pods, as the hash in the name does with Kustomize.
    object.spec.template.metadata.annotations = {
      'gatehouse/settings': slot('{{ printf "%q" (printf "%v %v" .Values.settings .Values.gatewaySettings) }}'),
    };
  },
  HorizontalPodAutoscaler: (object) => {
    object.spec.minReplicas = number('scaling', object.metadata.name, 'min');
    object.spec.maxReplicas = number('scaling', object.metadata.name, 'max');
  },
  Job: (object) => {
    object.metadata = hooked(object.metadata, '0');
    object.spec.template.spec.containers[0].image = quoted('images', object.metadata.name.replace(/-migrate$/, ''));
  },
  CronJob: (object) => {
    object.spec.schedule = quoted('backup', 'schedule');
    const container = backupContainer(object);
    container.image = quoted('backup', 'image');
    container.args[keepOf(container)] = slot('{{ printf "%q" (printf "%v" .Values.backup.keep) }}');
  },
  PersistentVolumeClaim: (object) => {
    object.metadata.annotations = { ...object.metadata.annotations, 'helm.sh/resource-policy': 'keep' };
    object.spec.resources.requests.storage = quoted('backup', 'storage');
  },
  Ingress: (object) => {
    const [rule] = object.spec.rules;
    rule.host = quoted('host');
    object.spec.tls = [{ hosts: [quoted('host')], secretName: quoted('tlsSecret') }];
  },
};

function settingsTemplate(object, values) {
  const isGateway = object.metadata.name === GATEWAY_SETTINGS;
  // A migration needs its settings before the release has any objects.
  const metadata = isGateway ? object.metadata : hooked(object.metadata, '-1');
  return [
    stringify({ apiVersion: object.apiVersion, kind: object.kind, metadata }).trimEnd(),
    'data:',
    `{{- range $name, $value := .Values.${values} }}`,
    '  {{ $name }}: {{ printf "%q" (printf "%v" $value) }}',
    '{{- end }}',
    ...(isGateway
      ? [
          '{{- if .Values.host }}',
          '  TRUSTED_PROXIES: {{ printf "%q" (printf "%v" .Values.trustedProxies) }}',
          '{{- end }}',
        ]
      : []),
    '',
  ].join('\n');
}

function templateOf(object) {
  if (object.metadata.name === SETTINGS) return settingsTemplate(object, 'settings');
  if (object.metadata.name === GATEWAY_SETTINGS) return settingsTemplate(object, 'gatewaySettings');
  const changed = structuredClone(object);
  CHANGES[object.kind]?.(changed);
  const text = filled(stringify(changed, { lineWidth: 0 }));
  const condition = ADDED_BY[titleOf(object)];
  return condition ? `{{- if ${condition} }}\n${text}{{- end }}\n` : text;
}

const dataOf = (objects, name) =>
  objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name).data;

function backupValuesOf(cronJob, volume) {
  const container = backupContainer(cronJob);
  return {
    enabled: false,
    image: container.image,
    schedule: cronJob.spec.schedule,
    keep: Number(container.args[keepOf(container)]),
    storage: volume.spec.resources.requests.storage,
  };
}

/** The values that make the chart the base. */
function valuesOf(objects) {
  const { TRUSTED_PROXIES: trustedProxies, ...gatewaySettings } = dataOf(objects, GATEWAY_SETTINGS);
  const of = (kind) => objects.filter((object) => object.kind === kind);
  return {
    settings: dataOf(objects, SETTINGS),
    gatewaySettings,
    images: Object.fromEntries(
      of('Deployment').map(({ metadata, spec }) => [metadata.name, spec.template.spec.containers[0].image]),
    ),
    scaling: Object.fromEntries(
      of('HorizontalPodAutoscaler').map(({ metadata, spec }) => [
        metadata.name,
        { min: spec.minReplicas, max: spec.maxReplicas },
      ]),
    ),
    backup: backupValuesOf(of('CronJob')[0], of('PersistentVolumeClaim')[0]),
    host: '',
    tlsSecret: 'gatehouse-tls',
    trustedProxies,
  };
}

const VALUES_HEAD = `# Made by tools/manifests/chart.mjs: the values of the Kustomize base.
# settings: of every service and migration; set PUBLIC_URL. images: give digests, registry.example.com/pam@sha256:…
# host: the Ingress, its policy and trustedProxies exist when it is set. backup: the CronJob, its volume and its policy
# exist when it is enabled.
`;

export function chartFiles() {
  const objects = source();
  const templates = new Map();
  // The namespace is Helm's: --create-namespace.
  for (const object of objects.filter(({ kind }) => kind !== 'Namespace')) {
    const file = `templates/${object.kind.toLowerCase()}.yaml`;
    templates.set(file, [...(templates.get(file) ?? []), `---\n${templateOf(object)}`]);
  }
  const version = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')).version;
  const chart = { apiVersion: 'v2', name: 'gatehouse', type: 'application', version, appVersion: version };
  const description = 'Gatehouse: the services and migrations of deploy/k8s/base, an Ingress and backups';
  return new Map([
    ['Chart.yaml', stringify({ ...chart, description, kubeVersion: '>=1.31.0-0' })],
    ['values.yaml', VALUES_HEAD + stringify(valuesOf(objects))],
    ...[...templates].map(([file, texts]) => [file, texts.join('')]),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = [...chartFiles()].map(([file, text]) => [join(CHART, file), text]);
  const stale = files.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  if (process.argv.includes('--check')) {
    if (stale.length > 0) process.stderr.write('the chart is stale; run node tools/manifests/chart.mjs\n');
    process.exit(stale.length > 0 ? 1 : 0);
  }
  mkdirSync(join(CHART, 'templates'), { recursive: true });
  for (const [file, text] of stale) writeFileSync(file, text);
}
