import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments, stringify } from 'yaml';

// Writes the Helm chart from the Kustomize base and the components of the entrance, backups and monitoring, so that
// both say the same:
//   node tools/manifests/chart.mjs [--check | --settings]
// The templates use the functions of Go's templates alone, none of Helm's own: any engine of Go's templates renders
// them.

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const CHART = join(REPOSITORY, 'deploy/helm/gatehouse');
const HOOK = 'pre-install,pre-upgrade';
const SETTINGS = 'gatehouse-settings';
const GATEWAY_SETTINGS = 'gateway-settings';
/** The value that adds an object to those of the base. */
const ADDED_BY = {
  'Ingress/gatehouse': 'and .Values.host (not .Values.gatewayApi.enabled)',
  'HTTPRoute/gatehouse': 'and .Values.host .Values.gatewayApi.enabled',
  'HTTPRoute/gatehouse-to-https': 'and .Values.host .Values.gatewayApi.enabled',
  'PodMonitor/gatehouse': '.Values.podMonitor.enabled',
  'NetworkPolicy/gateway-entrance': '.Values.host',
  'CronJob/backup': '.Values.backup.enabled',
  'PersistentVolumeClaim/backups': '.Values.backup.enabled',
  'NetworkPolicy/backup': '.Values.backup.enabled',
};

const titleOf = ({ kind, metadata }) => `${kind}/${metadata.name}`;
const documents = (text) => parseAllDocuments(text).map((document) => document.toJS());

/** In place of the Ingress, and what the Prometheus operator reads. */
const FURTHER = ['deploy/k8s/components/gateway-api/http-route.yaml', 'deploy/observability/pod-monitor.yaml'];

/** The base and the components. ConfigMaps lose the hash of their names: Helm has none. */
function source() {
  const text = execFileSync('kubectl', ['kustomize', join(REPOSITORY, 'tools/manifests/chart-source')], {
    encoding: 'utf8',
  });
  return [
    ...documents(text.replace(/\b(gatehouse|gateway)-settings-[a-z0-9]{10}\b/g, '$1-settings')),
    ...FURTHER.flatMap((file) => documents(readFileSync(join(REPOSITORY, file), 'utf8'))),
  ];
}

/** Stands in a scalar until it is written as YAML, where the template takes its place. */
const slot = (template) => `<<${template}>>`;
const whole = (key, path) => `<<${key} ${path}>>`;
/** Lines of YAML that become parts of a template: an optional member, further items, further entries, settings. */
const LINES = [
  [/^( *)(\w+): "?<<with (.+?)>>"?$/gm, '{{- with $3 }}\n$1$2: {{ template "json" . }}\n{{- end }}'],
  [/^( *)- "?<<items (.+?)>>"?$/gm, '{{- range $2 }}\n$1- {{ template "json" . }}\n{{- end }}'],
  [
    /^( *)"?<<entries (.+?)>>"?: 0$/gm,
    '{{- range $$key, $$value := $2 }}\n$1{{ $$key }}: {{ printf "%q" (printf "%v" $$value) }}\n{{- end }}',
  ],
  [
    /^( *)- "?<<settings (.+?)>>"?$/gm,
    '{{- range $$name, $$value := $2 }}\n$1- { name: {{ $$name }}, value: {{ printf "%q" (printf "%v" $$value) }} }\n{{- end }}',
  ],
  [
    /^( *)- "?<<setting (\w+) (.+?) if (.+?)>>"?$/gm,
    '{{- if $4 }}\n$1- { name: $2, value: {{ printf "%q" (printf $3) }} }\n{{- end }}',
  ],
];
const filled = (yaml) =>
  LINES.reduce((text, [line, template]) => text.replace(line, template), yaml).replace(
    /(["']?)<<(.+?)>>\1/g,
    (_, __, template) => template.replaceAll("''", "'"),
  );
/** Any value as JSON, which is YAML too. Go's templates have no function for it. */
const JSON_TEMPLATE = `{{- define "json" -}}
{{- $type := printf "%T" . -}}
{{- if eq $type "string" -}}{{ printf "%q" . }}
{{- else if eq $type "map[string]interface {}" -}}{ {{- range $key, $value := . }}{{ printf "%q" $key }}: {{ template "json" $value }}, {{ end -}} }
{{- else if eq $type "[]interface {}" -}}[ {{- range . }}{{ template "json" . }}, {{ end -}} ]
{{- else -}}{{ printf "%v" . }}{{- end -}}
{{- end -}}
`;
const quoted = (...keys) => slot(`{{ printf "%q" (index .Values ${keys.map((key) => `"${key}"`).join(' ')}) }}`);
const number = (...keys) => slot(`{{ index .Values ${keys.map((key) => `"${key}"`).join(' ')} }}`);

const hooked = (metadata, weight, deletion) => ({
  ...metadata,
  annotations: {
    ...metadata.annotations,
    'helm.sh/hook': HOOK,
    'helm.sh/hook-delete-policy': deletion,
    'helm.sh/hook-weight': weight,
  },
});

const PUBLIC_URL = whole(
  'setting',
  'PUBLIC_URL "https://%v" .Values.host if and .Values.host (not (index .Values.settings "PUBLIC_URL"))',
);
const TRUSTED_PROXIES = whole('setting', 'TRUSTED_PROXIES "%v" .Values.trustedProxies if .Values.host');
const extended = (list, path) => (list ? [...list, whole('items', path)] : whole('with', path));

/** The settings become part of the pod, so that each version of it has its own, and what every pod may be given. */
function adaptPod({ spec }, resources, settings) {
  const [container] = spec.containers;
  container.envFrom = container.envFrom?.filter(({ configMapRef }) => !configMapRef);
  container.env = extended(settings.length > 0 ? settings : container.env, '.Values.extraEnv');
  container.volumeMounts = extended(container.volumeMounts, '.Values.extraVolumeMounts');
  container.resources = slot(`{{ template "json" (index .Values "resources" "${resources}") }}`);
  spec.volumes = extended(spec.volumes, '.Values.extraVolumes');
  for (const member of ['imagePullSecrets', 'nodeSelector', 'tolerations', 'affinity'])
    spec[member] = whole('with', `.Values.${member}`);
}
const COMMON_SETTINGS = [whole('settings', '.Values.settings'), PUBLIC_URL];
const settingsOf = (name) =>
  name === 'gateway'
    ? [...COMMON_SETTINGS, whole('settings', '.Values.gatewaySettings'), TRUSTED_PROXIES]
    : COMMON_SETTINGS;

const backupContainer = (cronJob) => cronJob.spec.jobTemplate.spec.template.spec.containers[0];
const keepOf = ({ args }) => args.indexOf('--keep') + 1;

/** What differs from the base, by kind. */
const CHANGES = {
  Deployment: (object) => {
    const [container] = object.spec.template.spec.containers;
    const { name } = object.metadata;
    container.image = quoted('images', name);
    adaptPod(object.spec.template, name, settingsOf(name));
    if (name === 'gateway') object.spec.template.metadata.annotations = { 'gatehouse/host': quoted('host') };
  },
  // Migrations come before the objects of the release, so their policies come before them.
  NetworkPolicy: (object) => {
    if (object.metadata.name.endsWith('-migrate'))
      object.metadata = hooked(object.metadata, '-1', 'before-hook-creation,hook-succeeded');
  },
  HorizontalPodAutoscaler: (object) => {
    object.spec.minReplicas = number('scaling', object.metadata.name, 'min');
    object.spec.maxReplicas = number('scaling', object.metadata.name, 'max');
    if (object.metadata.name === 'gateway')
      object.spec.metrics = extended(object.spec.metrics, '.Values.gatewayMetrics');
  },
  Job: (object) => {
    object.metadata = hooked(object.metadata, '0', 'before-hook-creation');
    object.spec.activeDeadlineSeconds = number('migrations', 'deadlineSeconds');
    adaptPod(object.spec.template, 'migrations', COMMON_SETTINGS);
    object.spec.template.spec.containers[0].image = quoted('images', object.metadata.name.replace(/-migrate$/, ''));
  },
  CronJob: (object) => {
    object.spec.schedule = quoted('backup', 'schedule');
    const container = backupContainer(object);
    container.image = quoted('backup', 'image');
    adaptPod(object.spec.jobTemplate.spec.template, 'backup', []);
    container.args[keepOf(container)] = slot('{{ printf "%q" (printf "%v" .Values.backup.keep) }}');
  },
  PersistentVolumeClaim: (object) => {
    object.metadata.annotations = { ...object.metadata.annotations, 'helm.sh/resource-policy': 'keep' };
    object.spec.resources.requests.storage = quoted('backup', 'storage');
  },
  HTTPRoute: (object) => {
    object.spec.hostnames = [quoted('host')];
    for (const parent of object.spec.parentRefs)
      Object.assign(parent, { name: quoted('gatewayApi', 'name'), namespace: quoted('gatewayApi', 'namespace') });
  },
  PodMonitor: (object) => {
    object.metadata.labels = whole('with', '.Values.podMonitor.labels');
    object.spec.podMetricsEndpoints[0].interval = quoted('podMonitor', 'interval');
  },
  Ingress: (object) => {
    const [rule] = object.spec.rules;
    rule.host = quoted('host');
    object.spec.ingressClassName = whole('with', '.Values.ingress.className');
    object.metadata.annotations[whole('entries', '.Values.ingress.annotations')] = 0;
    object.spec.tls = [{ hosts: [quoted('host')], secretName: quoted('tlsSecret') }];
  },
};

function templateOf(object) {
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

const resourcesOf = (objects) => {
  const of = (kind) => objects.filter((object) => object.kind === kind);
  const resources = ({ spec }) => spec.containers[0].resources;
  return {
    ...Object.fromEntries(of('Deployment').map(({ metadata, spec }) => [metadata.name, resources(spec.template)])),
    migrations: resources(of('Job')[0].spec.template),
    backup: resources(of('CronJob')[0].spec.jobTemplate.spec.template),
  };
};

const gatewayOf = ({ spec: { parentRefs } }) => ({ name: parentRefs[0].name, namespace: parentRefs[0].namespace });

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
    resources: resourcesOf(objects),
    migrations: { deadlineSeconds: of('Job')[0].spec.activeDeadlineSeconds },
    imagePullSecrets: [],
    nodeSelector: {},
    tolerations: [],
    affinity: {},
    extraEnv: [],
    extraVolumes: [],
    extraVolumeMounts: [],
    ingress: { className: '', annotations: {} },
    gatewayApi: { enabled: false, ...gatewayOf(of('HTTPRoute')[0]) },
    podMonitor: { enabled: false, interval: of('PodMonitor')[0].spec.podMetricsEndpoints[0].interval, labels: {} },
    gatewayMetrics: [],
    host: '',
    tlsSecret: 'gatehouse-tls',
    trustedProxies,
  };
}

const jsonOf = (value) => `${JSON.stringify(value, null, 2)}\n`;
const TEXT = { type: 'string' };
const SCALAR = { type: ['string', 'number', 'boolean'] };
const MAP = { type: 'object' };
const TEXTS = { type: 'object', additionalProperties: TEXT };
const closed = (properties, required = []) => ({ type: 'object', additionalProperties: false, required, properties });
const listOf = (items) => ({ type: 'array', items });
const QUANTITIES = closed({ cpu: SCALAR, memory: SCALAR, 'ephemeral-storage': SCALAR });
const IMAGE = { type: 'string', pattern: '^[^\\s@:]+(:\\d+/[^\\s@:]+)?(:[\\w.-]+)?(@sha256:[0-9a-f]{64})?$' };
const OF_SECRETS = /PASSWORD|SECRET|_KEY|JWKS|^(DATABASE|NATS|REDIS|SMTP).*URL/;

/** The settings that the generated pages list, those of the migrations and of Node, without what Secrets hold. */
function settingNames() {
  const pages = ['docs/services.md', ...readdirSync(join(REPOSITORY, 'apps')).map((app) => `apps/${app}/README.md`)];
  const texts = pages.map((page) => join(REPOSITORY, page)).filter((page) => existsSync(page));
  const listed = texts.flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)]);
  const others = [
    'NATS_REPLICAS',
    'NATS_STREAMS_GIB',
    'NATS_FILTERED_CONSUMERS',
    'NODE_EXTRA_CA_CERTS',
    'NODE_OPTIONS',
    'TZ',
  ];
  return [...new Set([...listed.map(([, name]) => name).filter((name) => !OF_SECRETS.test(name)), ...others])].sort();
}

/** What the values of an installation may be: Helm refuses a misspelt key. */
function schemaOf(values) {
  const each = (map, schema) => closed(Object.fromEntries(Object.keys(map).map((key) => [key, schema])));
  const settings = { type: 'object', propertyNames: { enum: settingNames() }, additionalProperties: SCALAR };
  const count = { type: 'integer', minimum: 1 };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...closed({
      global: MAP,
      settings,
      gatewaySettings: settings,
      images: each(values.images, IMAGE),
      scaling: each(values.scaling, closed({ min: count, max: count })),
      resources: each(values.resources, closed({ requests: QUANTITIES, limits: QUANTITIES })),
      migrations: closed({ deadlineSeconds: count }),
      backup: closed({ enabled: { type: 'boolean' }, image: IMAGE, schedule: TEXT, keep: count, storage: TEXT }),
      imagePullSecrets: listOf(closed({ name: TEXT }, ['name'])),
      nodeSelector: TEXTS,
      tolerations: listOf(
        closed({ key: TEXT, operator: TEXT, value: TEXT, effect: TEXT, tolerationSeconds: { type: 'integer' } }),
      ),
      affinity: closed({ nodeAffinity: MAP, podAffinity: MAP, podAntiAffinity: MAP }),
      extraEnv: listOf(closed({ name: TEXT, value: TEXT, valueFrom: MAP }, ['name'])),
      extraVolumes: listOf({ type: 'object', required: ['name'] }),
      extraVolumeMounts: listOf(
        closed({ name: TEXT, mountPath: TEXT, subPath: TEXT, readOnly: { type: 'boolean' } }, ['name', 'mountPath']),
      ),
      ingress: closed({ className: TEXT, annotations: TEXTS }),
      gatewayApi: closed({ enabled: { type: 'boolean' }, name: TEXT, namespace: TEXT }),
      podMonitor: closed({ enabled: { type: 'boolean' }, interval: TEXT, labels: TEXTS }),
      gatewayMetrics: listOf({ type: 'object', required: ['type'] }),
      host: TEXT,
      tlsSecret: TEXT,
      trustedProxies: { type: ['string', 'integer'] },
    }),
  };
}

/** The schema as it stands, with the settings that the pages list by now; needs no kubectl. */
function refreshSettings() {
  const file = join(CHART, 'values.schema.json');
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  for (const map of ['settings', 'gatewaySettings']) schema.properties[map].propertyNames.enum = settingNames();
  writeFileSync(file, jsonOf(schema));
}

const VALUES_HEAD = `# Made by tools/manifests/chart.mjs: the values of the Kustomize base.
# settings: of every service and migration; set PUBLIC_URL. images: give digests, registry.example.com/pam@sha256:…
# host: the Ingress (or the routes of gatewayApi, where that is enabled), its policy and trustedProxies exist when it is
# set, and PUBLIC_URL is https:// and it. backup, podMonitor: what they name exists when they are enabled. extra*, as in
# a pod: of every service and job. gatewayMetrics: further metrics of the autoscaler of the gateway.
`;

export function chartFiles() {
  const objects = source();
  const values = valuesOf(objects);
  const templates = new Map();
  // The namespace is Helm's: --create-namespace. Settings are part of the pods.
  for (const object of objects.filter(({ kind }) => kind !== 'Namespace' && kind !== 'ConfigMap')) {
    const file = `templates/${object.kind.toLowerCase()}.yaml`;
    templates.set(file, [...(templates.get(file) ?? []), `---\n${templateOf(object)}`]);
  }
  const version = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')).version;
  const chart = { apiVersion: 'v2', name: 'gatehouse', type: 'application', version, appVersion: version };
  const description =
    'Gatehouse: the services and migrations of deploy/k8s/base, an entrance, backups and a PodMonitor';
  return new Map([
    ['Chart.yaml', stringify({ ...chart, description, kubeVersion: '>=1.31.0-0' })],
    ['values.yaml', VALUES_HEAD + stringify(values)],
    ['values.schema.json', jsonOf(schemaOf(values))],
    ['templates/_json.tpl', JSON_TEMPLATE],
    ...[...templates].map(([file, texts]) => [file, texts.join('')]),
  ]);
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes('--settings')) refreshSettings();
else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = [...chartFiles()].map(([file, text]) => [join(CHART, file), text]);
  const stale = files.filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  if (process.argv.includes('--check')) {
    if (stale.length > 0) process.stderr.write('the chart is stale; run node tools/manifests/chart.mjs\n');
    process.exit(stale.length > 0 ? 1 : 0);
  }
  mkdirSync(join(CHART, 'templates'), { recursive: true });
  for (const [file, text] of stale) writeFileSync(file, text);
}
