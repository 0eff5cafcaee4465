import { DATABASES, SERVICE_NAMES, SERVICES, settingOf, UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Writes the lists of services in the files that cannot import the catalogue (libs/contracts/core/src/services.ts),
// after `npm run build`:
//   node tools/manifests/service-lists.mjs [--check]
// A list stands between `<services: NAME>` and `</services>`, in a comment each.

const flow = (names) => `[${names.join(', ')}]`;
const secretIn = (name) => `\${${name}:?}`;
const brokerPasswordOf = (service) => `NATS_PASSWORD_${settingOf(service)}`;
const redisPasswordOf = (service) => `REDIS_PASSWORD_${settingOf(service)}`;
const passwordOf = (database, role) => `${settingOf(database)}_${role}_PASSWORD`;
const databaseUrl = (database, role) =>
  `postgres://gatehouse_${database}_${role.toLowerCase()}:${secretIn(passwordOf(database, role))}@postgres:5432/gatehouse_${database}`;

const ownSettings = ({ name, database = name }) => [
  `x-${name}-own: &${name}-own`,
  `  NATS_URL: nats://${name}:${secretIn(brokerPasswordOf(name))}@nats:4222`,
  `  REDIS_URL: redis://${name}:${secretIn(redisPasswordOf(name))}@redis:6379`,
  `  SECRET_ENCRYPTION_KEYS: ${secretIn(`SECRET_ENCRYPTION_KEY_${settingOf(database)}`)}`,
];
const databaseAnchor = (database) => [
  `x-${database}-database: &${database}-database`,
  `  DATABASE_URL_${settingOf(database)}: ${databaseUrl(database, 'APP')}`,
];
const migration = (database) => [
  `migrate-${database}:`,
  `  <<: *migration`,
  `  image: gatehouse/${database}:\${VERSION:-0.1.0}`,
  `  environment:`,
  `    <<: [*broker-administrator, *${database}-database]`,
  `    DATABASE_OWNER_URL_${settingOf(database)}: ${databaseUrl(database, 'OWNER')}`,
];

/** Of the Secret of a migration, the address alone. */
const ownerAddress = (database) => {
  const setting = `DATABASE_OWNER_URL_${settingOf(database)}`;
  return [
    `- name: ${setting}`,
    `  valueFrom: { secretKeyRef: { name: gatehouse-${database}-migrate, key: ${setting} } }`,
  ];
};

/** The Secrets that the manifests of production name. */
const SECRETS = [...SERVICE_NAMES, ...DATABASES.map((name) => `${name}-migrate`), 'nats', 'redis'];
const externalSecret = (name) => [
  `---`,
  `apiVersion: external-secrets.io/v1`,
  `kind: ExternalSecret`,
  `metadata: { name: gatehouse-${name} }`,
  `spec:`,
  `  refreshInterval: 1h`,
  `  secretStoreRef: { kind: ClusterSecretStore, name: gatehouse }`,
  `  target: { name: gatehouse-${name}, creationPolicy: Owner, deletionPolicy: Retain }`,
  `  dataFrom: [{ extract: { key: gatehouse/${name} } }]`,
];

/** The lines of each list. */
const LISTS = {
  'compose settings': [...SERVICES.flatMap(ownSettings), ...DATABASES.flatMap(databaseAnchor)],
  'broker passwords': SERVICE_NAMES.map(brokerPasswordOf).map((name) => `${name}: ${secretIn(name)}`),
  'redis passwords': SERVICE_NAMES.map(redisPasswordOf).map((name) => `${name}: ${secretIn(name)}`),
  'owner addresses of compose': DATABASES.map(
    (name) => `DATABASE_OWNER_URL_${settingOf(name)}: ${databaseUrl(name, 'OWNER')}`,
  ),
  'database passwords': DATABASES.flatMap((name) => ['OWNER', 'APP'].map((role) => passwordOf(name, role))).map(
    (name) => `${name}: ${secretIn(name)}`,
  ),
  migrations: DATABASES.flatMap((database, at) => (at === 0 ? [] : ['']).concat(migration(database))),
  verifying: [...DATABASES.map((name) => `migrate-${name}`), ...SERVICE_NAMES, 'backup'].map(
    (name) => `${name}: *verifying`,
  ),
  addresses: UPSTREAM_NAMES.map((name) => `${settingOf(name)}_URL: http://${name}:8080`),
  'wait for them': UPSTREAM_NAMES.map((name) => `${name}: { condition: service_healthy }`),
  resources: [`resources: ${flow(['common', ...SERVICE_NAMES])}`],
  peers: [`- { key: app.kubernetes.io/name, operator: In, values: ${flow(UPSTREAM_NAMES)} }`],
  'address variables': UPSTREAM_NAMES.map((name) => `- { name: ${settingOf(name)}_URL, value: 'http://${name}:8080' }`),
  'address literals': UPSTREAM_NAMES.map((name) => `- ${settingOf(name)}_URL=http://${name}:8080`),
  images: SERVICE_NAMES.map((name) => `- { name: gatehouse/${name}, newTag: 0.1.0 }`),
  'owner addresses': DATABASES.flatMap(ownerAddress),
  'external secrets': SECRETS.flatMap(externalSecret),
  alert: [
    `expr: max by (namespace, service) (nodejs_eventloop_lag_p99_seconds{service=~"${SERVICE_NAMES.join('|')}"}) > 0.25`,
  ],
  gone: [
    'expr: >-',
    ...SERVICE_NAMES.map(
      (name, at) =>
        `  ${at ? 'or ' : ''}label_replace(gatehouse:namespaces unless group by (namespace) (gatehouse_part_up{service="${name}"}), "service", "${name}", "", "")`,
    ),
  ],
  secrets: [
    'const SERVICES = {',
    ...SERVICES.map(({ name, database = null }) => {
      const key = name.includes('-') ? `'${name}'` : name;
      return `  ${key}: ${database === null ? null : `'${database}'`},`;
    }),
    '};',
  ],
};

export const FILES = [
  'docker-compose.yml',
  'deploy/docker/compose.tls.yml',
  'deploy/k8s/base/kustomization.yaml',
  'deploy/k8s/base/gateway/kustomization.yaml',
  'deploy/k8s/jobs/operate/job.yaml',
  'deploy/k8s/jobs/restore/job.yaml',
  'deploy/k8s/components/backup/cron-job.yaml',
  'deploy/k8s/components/external-secrets/secrets.yaml',
  'deploy/k8s/overlays/production/kustomization.yaml',
  'deploy/observability/alerts.yaml',
  'deploy/make-secrets.mjs',
];

const REGION = /^( *)(#|\/\/) <services: ([^>]+)>\n(?:.*\n)*? *(?:#|\/\/) <\/services>$/gm;

/** The text of a file with its lists written anew. */
export const withLists = (text) =>
  text.replace(REGION, (_, indent, comment, name) => {
    const lines = LISTS[name];
    if (lines === undefined) throw new Error(`there is no list ${name}`);
    return [`${comment} <services: ${name}>`, ...lines, `${comment} </services>`]
      .map((line) => (line === '' ? '' : `${indent}${line}`))
      .join('\n');
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const urls = FILES.map((file) => new URL(`../../${file}`, import.meta.url));
  const stale = urls.filter((url) => withLists(readFileSync(url, 'utf8')) !== readFileSync(url, 'utf8'));
  if (!process.argv.includes('--check'))
    for (const url of stale) writeFileSync(url, withLists(readFileSync(url, 'utf8')));
  else if (stale.length > 0) {
    process.stderr.write('lists of services are stale; run node tools/manifests/service-lists.mjs\n');
    process.exit(1);
  }
}
