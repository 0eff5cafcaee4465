/** Values that several services must share. In seconds unless the name states another unit. */
export const MFA_FRESHNESS_SECONDS = 12 * 60 * 60;
export const ACCESS_TOKEN_SECONDS = 15 * 60;
export const DEFAULT_BODY_LIMIT_BYTES = 100 * 1024;
export const AGENT_REPORT_BODY_LIMIT_BYTES = 32 * 1024;
export const IMPORT_BODY_LIMIT_BYTES = 8 * 1024 * 1024;
export const BRANDING_BODY_LIMIT_BYTES = 512 * 1024;
/** The ids of 10 000 organisations. */
export const ORGANIZATION_ORDER_BODY_LIMIT_BYTES = 512 * 1024;
/** A user in thousands of groups has a long SAML response. */
export const SAML_FORM_BODY_LIMIT_BYTES = 512 * 1024;
/** 200 changes of rules with long texts, the order of 5000 rules, or 1000 long lines of a policy. */
export const RULE_CHANGES_BODY_LIMIT_BYTES = 2 * 1024 * 1024;
export const API_PREFIX = '/api/v1';

/** One service of the product. */
export interface ServiceEntry {
  readonly name: ServiceName;
  /** It bears the name of the service that migrates it; absent if the service keeps nothing. */
  readonly database?: DatabaseName;
  /** The port under `nx serve`; health and metrics are 100 above. */
  readonly servePort: number;
}

/**
 * The catalogue of services: the only list of them. Lists in files that cannot import it are written by
 * `tools/manifests/service-lists.mjs`. Programs that need nothing else of this library import
 * `@gatehouse/contracts-core/services`, because the packages of the fields take most of a second to load. These are the
 * services behind the gateway, in the order in which they start.
 */
export const UPSTREAMS = [
  { name: 'identity', database: 'identity', servePort: 3101 },
  { name: 'tenancy', database: 'tenancy', servePort: 3102 },
  { name: 'pam', database: 'pam', servePort: 3103 },
  { name: 'pam-ingest', database: 'pam', servePort: 3104 },
  { name: 'audit', database: 'audit', servePort: 3105 },
  { name: 'notifier', database: 'notifier', servePort: 3106 },
] as const;

/** The gateway keeps nothing, and starts when the services behind it are ready. */
export const GATEWAY = { name: 'gateway', servePort: 3000 } as const;

type Upstream = (typeof UPSTREAMS)[number];
export type UpstreamName = Upstream['name'];
export type ServiceName = UpstreamName | typeof GATEWAY.name;
export type DatabaseName = Upstream['database'];

export const SERVICES: readonly ServiceEntry[] = [GATEWAY, ...UPSTREAMS];
export const UPSTREAM_NAMES: readonly UpstreamName[] = UPSTREAMS.map(({ name }) => name);
export const SERVICE_NAMES: readonly ServiceName[] = SERVICES.map(({ name }) => name);

export const databasesOf = (services: readonly ServiceEntry[]): DatabaseName[] => [
  ...new Set(services.flatMap(({ database }) => database ?? [])),
];
export const DATABASES: readonly DatabaseName[] = databasesOf(UPSTREAMS);

/** A name as settings spell it: `PAM_INGEST`. */
export const settingOf = (name: string): string => name.toUpperCase().replaceAll('-', '_');

/** The gateway's setting with a service's address: `PAM_INGEST_URL`. */
export const addressSettingOf = (service: string): string => `${settingOf(service)}_URL`;

/**
 * `DATABASE_URL_PAM` of the services, `DATABASE_OWNER_URL_PAM` of the migrations, and `DATABASE_DIRECT_URL_PAM`, which
 * leads past a pooler.
 */
export const databaseSettings = (database: string): { app: string; owner: string; direct: string } => ({
  app: `DATABASE_URL_${settingOf(database)}`,
  owner: `DATABASE_OWNER_URL_${settingOf(database)}`,
  direct: `DATABASE_DIRECT_URL_${settingOf(database)}`,
});
