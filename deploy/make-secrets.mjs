import { createHash, generateKeyPairSync, randomBytes, randomInt } from 'node:crypto';

// Makes every secret of one installation, each at random.
//   node deploy/make-secrets.mjs > .env                                     for docker compose
//   node deploy/make-secrets.mjs --kubernetes | kubectl apply -f -              Secrets for Kubernetes
// POSTGRES_HOST and POSTGRES_SSLMODE give the address of an external PostgreSQL.

// Each service with its database.
// <services: secrets>
const SERVICES = {
  gateway: null,
  identity: 'identity',
  tenancy: 'tenancy',
  pam: 'pam',
  'pam-ingest': 'pam',
  audit: 'audit',
  notifier: 'notifier',
};
// </services>
const DATABASES = [...new Set(Object.values(SERVICES))].filter((name) => name !== null);
const settingOf = (name) => name.toUpperCase().replaceAll('-', '_');
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Begins with a letter: NATS reads a value that begins with a digit as a number. */
const password = () => `p${randomBytes(24).toString('base64url')}`;

function signingKey() {
  const { kty, crv, x, y, d } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const open = {
    kty,
    crv,
    x,
    y,
    kid: createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url'),
    alg: 'ES256',
    use: 'sig',
  };
  return { secret: JSON.stringify({ ...open, d }), open: JSON.stringify({ keys: [open] }) };
}

const key = signingKey();
const operatorKey = signingKey();
const databasePasswords = Object.fromEntries(
  DATABASES.flatMap((name) => ['OWNER', 'APP'].map((role) => [`${name.toUpperCase()}_${role}_PASSWORD`, password()])),
);
const common = { INTERNAL_IDENTITY_JWKS: key.open, OPERATOR_JWKS: operatorKey.open };
const brokerPasswords = Object.fromEntries(
  Object.keys(SERVICES).map((service) => [`NATS_PASSWORD_${settingOf(service)}`, password()]),
);
/** Of the users of Redis. */
const redisPasswords = Object.fromEntries(
  Object.keys(SERVICES).map((service) => [`REDIS_PASSWORD_${settingOf(service)}`, password()]),
);
/** One for each database, and one for the gateway: services that share rows open what the other sealed. */
const sealingKeys = Object.fromEntries(
  ['gateway', ...DATABASES].map((name) => [
    `SECRET_ENCRYPTION_KEY_${settingOf(name)}`,
    randomBytes(32).toString('base64'),
  ]),
);
const gatewayOnly = { INTERNAL_IDENTITY_PRIVATE_KEY: key.secret };
const operatorOnly = { OPERATOR_PRIVATE_KEY: operatorKey.secret };
const identityOnly = {
  BOOTSTRAP_ADMIN_EMAIL: process.env.BOOTSTRAP_ADMIN_EMAIL ?? 'admin@gatehouse.example',
  BOOTSTRAP_ADMIN_PASSWORD: password(),
  BOOTSTRAP_ADMIN_TOTP_SECRET: Array.from({ length: 32 }, () => BASE32[randomInt(BASE32.length)]).join(''),
};
const parts = { POSTGRES_PASSWORD: password(), NATS_PASSWORD: password(), REDIS_PASSWORD: password() };

const dotenv = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');

function databaseUrl(database, role) {
  const { POSTGRES_HOST: host = 'postgres:5432', POSTGRES_SSLMODE: mode } = process.env;
  const secret = databasePasswords[`${database.toUpperCase()}_${role}_PASSWORD`];
  return `postgres://gatehouse_${database}_${role.toLowerCase()}:${secret}@${host}/gatehouse_${database}${mode ? `?sslmode=${mode}` : ''}`;
}

const secret = (name, stringData) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'gatehouse' },
  type: 'Opaque',
  stringData,
});

/** Each service gets its own addresses and, of the keys, what it needs. */
function secretOf(service, database) {
  const SECRET_ENCRYPTION_KEY = sealingKeys[`SECRET_ENCRYPTION_KEY_${settingOf(database ?? service)}`];
  const addresses = {
    NATS_URL: `nats://${service}:${brokerPasswords[`NATS_PASSWORD_${settingOf(service)}`]}@nats:4222`,
    REDIS_URL: `redis://${service}:${redisPasswords[`REDIS_PASSWORD_${settingOf(service)}`]}@redis:6379`,
  };
  const own =
    database === null ? gatewayOnly : { [`DATABASE_URL_${database.toUpperCase()}`]: databaseUrl(database, 'APP') };
  return secret(`gatehouse-${service}`, {
    ...common,
    SECRET_ENCRYPTION_KEY,
    ...addresses,
    ...own,
    ...(service === 'identity' ? identityOnly : {}),
  });
}

const migrationSecret = (database) =>
  secret(`gatehouse-${database}-migrate`, {
    [`DATABASE_URL_${database.toUpperCase()}`]: databaseUrl(database, 'APP'),
    [`DATABASE_OWNER_URL_${database.toUpperCase()}`]: databaseUrl(database, 'OWNER'),
    NATS_ADMIN_URL: `nats://gatehouse:${parts.NATS_PASSWORD}@nats:4222`,
  });

function kubernetes() {
  const services = Object.entries(SERVICES).map(([service, database]) => secretOf(service, database));
  const provisioning = secret('gatehouse-postgres-admin', {
    PGHOST: 'postgres',
    PGUSER: 'postgres',
    PGPASSWORD: parts.POSTGRES_PASSWORD,
    ...databasePasswords,
  });
  const servers = [
    secret('gatehouse-postgres', { POSTGRES_PASSWORD: parts.POSTGRES_PASSWORD }),
    secret('gatehouse-nats', {
      NATS_PASSWORD: parts.NATS_PASSWORD,
      ...brokerPasswords,
      NATS_CLUSTER_PASSWORD: password(),
    }),
    secret('gatehouse-redis', { REDIS_PASSWORD: parts.REDIS_PASSWORD, ...redisPasswords }),
  ];
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      ...servers,
      provisioning,
      ...DATABASES.map(migrationSecret),
      ...services,
      secret('gatehouse-operator', operatorOnly),
    ],
  };
}

process.stdout.write(
  process.argv.includes('--kubernetes')
    ? `${JSON.stringify(kubernetes(), null, 2)}\n`
    : dotenv({
        ...parts,
        ...databasePasswords,
        ...brokerPasswords,
        ...redisPasswords,
        ...sealingKeys,
        ...common,
        ...gatewayOnly,
        ...operatorOnly,
        ...identityOnly,
      }),
);
