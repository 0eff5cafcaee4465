import { join } from 'node:path';
import { brokerUrlOf } from '../broker-url.ts';
import { type Credentials, publicHalf } from '../credentials.ts';
import type { DemoDns } from '../demo/demo-dns.ts';
import { STACK_DIRECTORY } from '../paths.ts';
import type { BackingUrls } from '../shared/shared-backing.ts';
import type { DatabaseUrls } from './databases.ts';
import {
  addressSettingOf,
  databaseSettings,
  GATEWAY,
  type ServiceEntry,
  settingOf,
  UPSTREAMS,
} from '@gatehouse/contracts-core/services';

type Environment = Record<string, string | undefined>;

/** Two ports of one service on 127.0.0.1: requests; health and metrics. */
export interface ServicePorts {
  readonly http: number;
  readonly admin: number;
}

/** All that the environment of a service is made of. */
export interface Facts {
  readonly user: Readonly<Environment>;
  readonly credentials: Credentials;
  readonly backing: Partial<BackingUrls>;
  readonly databases: ReadonlyMap<string, DatabaseUrls>;
  readonly ports: ReadonlyMap<string, ServicePorts>;
  /** `host:port` of the bundled identity provider when it runs. */
  readonly identityProvider?: string;
  /** The name server of the demo when it runs. */
  readonly nameServer?: DemoDns;
}

const DEFAULT_ADMIN_EMAIL = 'admin@gatehouse.example';

const HOST = '127.0.0.1';
/** Settings for the launcher, or for one service only; the others do not get them. */
const WITHHELD =
  /^(DATABASE_(?!(CA_FILE|POOLED)$)|NATS_ADMIN_URL$|BOOTSTRAP_|INTERNAL_IDENTITY_|OPERATOR_|SMTP_URL$|MAIL_DIR$|PORT$|npm_|[A-Z_]+__)/;

export const portsOf = ({ ports }: Pick<Facts, 'ports'>, { name }: ServiceEntry): ServicePorts => {
  const found = ports.get(name);
  if (found === undefined) throw new Error(`${name} has no ports`);
  return found;
};

export const isProduction = ({ NODE_ENV }: Readonly<Environment>): boolean => NODE_ENV === 'production';

/** Where people find the product. */
export function publicUrl(user: Readonly<Environment>, gatewayPort: number): string {
  return user['PUBLIC_URL'] || user['PUBLIC_APP_URL'] || user['DASHBOARD_URL'] || `http://localhost:${gatewayPort}`;
}

/**
 * One key for each database: services that share rows open what the other sealed. A key that the user gives is used for
 * all databases.
 */
function encryptionKey({ user, credentials }: Facts, { name, database }: ServiceEntry): Environment {
  const given = ['SECRET_ENCRYPTION_KEY', 'APP_ENCRYPTION_KEY', 'SECRET_ENCRYPTION_KEYS'].some(
    (setting) => user[setting],
  );
  if (given) return {};
  const own = credentials.sealingKeys[database ?? name];
  const { secretEncryptionKey: shared } = credentials;
  return shared === undefined ? { SECRET_ENCRYPTION_KEY: own } : { SECRET_ENCRYPTION_KEYS: `${own},${shared}` };
}

/**
 * At our own broker each service has its own login. The address of a broker that the environment names is used as it
 * is.
 */
function broker({ user, backing }: Facts, { name }: ServiceEntry): string | undefined {
  return user['NATS_URL'] || backing.nats === undefined ? backing.nats : brokerUrlOf(backing.nats, name);
}

/** The bundled identity provider is on this machine, without TLS: only a development system may talk to it. */
function egress({ user, identityProvider }: Facts): Environment {
  if (isProduction(user) || identityProvider === undefined) return {};
  return {
    EGRESS_ALLOW_HOSTS: [user['EGRESS_ALLOW_HOSTS'], identityProvider].filter(Boolean).join(','),
    EGRESS_ALLOW_HTTP: 'true',
  };
}

function database({ databases }: Facts, { database: name }: ServiceEntry): Environment {
  return name === undefined ? {} : { [databaseSettings(name).app]: databases.get(name)?.app };
}

/** The administrator that an empty system is given. Ours has a second factor; the user's has one if they say so. */
export function administrator({ user, credentials }: Pick<Facts, 'user' | 'credentials'>): {
  email: string;
  password: string;
  totpSecret?: string;
} {
  const email = user['BOOTSTRAP_ADMIN_EMAIL'] || DEFAULT_ADMIN_EMAIL;
  const password = user['BOOTSTRAP_ADMIN_PASSWORD'];
  if (password) return { email, password, totpSecret: user['BOOTSTRAP_ADMIN_TOTP_SECRET'] || undefined };
  return {
    email,
    password: credentials.adminPassword,
    totpSecret: user['BOOTSTRAP_ADMIN_TOTP_SECRET'] || credentials.adminTotpSecret,
  };
}

function identityOnly(facts: Facts): Environment {
  const { email, password, totpSecret } = administrator(facts);
  const smtp = facts.user['SMTP_URL'];
  return {
    BOOTSTRAP_ADMIN_EMAIL: email,
    BOOTSTRAP_ADMIN_PASSWORD: password,
    BOOTSTRAP_ADMIN_TOTP_SECRET: totpSecret,
    ...(facts.nameServer && { DNS_SERVERS: facts.nameServer.address }),
    ...(smtp ? { SMTP_URL: smtp } : { MAIL_DIR: facts.user['MAIL_DIR'] || join(STACK_DIRECTORY, 'mail') }),
  };
}

function gatewayOnly(facts: Facts): Environment {
  const addresses = UPSTREAMS.map((service) => [
    addressSettingOf(service.name),
    `http://${HOST}:${portsOf(facts, service).http}`,
  ]);
  return {
    GATEWAY_PORT: String(portsOf(facts, GATEWAY).http),
    INTERNAL_IDENTITY_PRIVATE_KEY:
      facts.user['INTERNAL_IDENTITY_PRIVATE_KEY'] || JSON.stringify(facts.credentials.internalIdentityKey),
    ...Object.fromEntries(addresses),
  };
}

function own(facts: Facts, { name }: ServiceEntry): Environment {
  if (name === GATEWAY.name) return gatewayOnly(facts);
  return name === 'identity' ? identityOnly(facts) : {};
}

/**
 * `PAM_INGEST__NATS_URL` sets NATS_URL for pam-ingest alone: tests give one service a faulty network or a wrong clock.
 */
function forItAlone({ user }: Facts, { name }: ServiceEntry): Environment {
  const prefix = `${settingOf(name)}__`;
  return Object.fromEntries(
    Object.entries(user).flatMap(([setting, value]) =>
      setting.startsWith(prefix) ? [[setting.slice(prefix.length), value]] : [],
    ),
  );
}

/** The whole environment of one service: the user's settings, ours, and its own secrets only. */
export function environmentOf(facts: Facts, service: ServiceEntry): Environment {
  const { user, credentials, backing } = facts;
  const { http, admin } = portsOf(facts, service);
  const passedOn = Object.fromEntries(Object.entries(user).filter(([name]) => !WITHHELD.test(name)));
  return {
    NODE_ENV: 'development',
    LOG_LEVEL: 'info',
    ...passedOn,
    HOST,
    PORT: String(http),
    ADMIN_PORT: String(admin),
    NATS_URL: broker(facts, service),
    REDIS_URL: backing.redis,
    PUBLIC_URL: publicUrl(user, portsOf(facts, GATEWAY).http),
    INTERNAL_IDENTITY_JWKS:
      user['INTERNAL_IDENTITY_JWKS'] || JSON.stringify({ keys: [publicHalf(credentials.internalIdentityKey)] }),
    ...(credentials.operatorKey && {
      OPERATOR_JWKS: user['OPERATOR_JWKS'] ?? JSON.stringify({ keys: [publicHalf(credentials.operatorKey)] }),
    }),
    ...encryptionKey(facts, service),
    ...egress(facts),
    ...database(facts, service),
    ...own(facts, service),
    ...forItAlone(facts, service),
  };
}
