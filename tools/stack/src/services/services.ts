/** The services of the product and what each needs from its environment; the one place that lists them. */
export interface ServiceEntry {
  readonly name: string;
  /** The service whose database it uses; none: it keeps nothing. */
  readonly database?: string;
  /** The gateway's setting with this service's address. */
  readonly addressSetting?: string;
  /** Where `nx serve` puts it, unless PORT says otherwise; health and metrics are 100 above. */
  readonly servePort: number;
}

export const GATEWAY: ServiceEntry = { name: 'gateway', servePort: 3000 };

/** All but the gateway, which starts when these are ready. */
export const SERVICES: readonly ServiceEntry[] = [
  { name: 'identity', database: 'identity', addressSetting: 'IDENTITY_URL', servePort: 3101 },
  { name: 'tenancy', database: 'tenancy', addressSetting: 'TENANCY_URL', servePort: 3102 },
  { name: 'pam', database: 'pam', addressSetting: 'PAM_URL', servePort: 3103 },
  { name: 'pam-ingest', database: 'pam', addressSetting: 'PAM_INGEST_URL', servePort: 3104 },
  { name: 'audit', database: 'audit', addressSetting: 'AUDIT_URL', servePort: 3105 },
  { name: 'notifier', database: 'notifier', addressSetting: 'NOTIFIER_URL', servePort: 3106 },
];

export const databasesOf = (services: readonly ServiceEntry[]): string[] => [
  ...new Set(services.flatMap(({ database }) => database ?? [])),
];

/** `DATABASE_URL_PAM` and `DATABASE_OWNER_URL_PAM`. */
export const databaseSettings = (database: string): { app: string; owner: string } => {
  const suffix = database.toUpperCase().replaceAll('-', '_');
  return { app: `DATABASE_URL_${suffix}`, owner: `DATABASE_OWNER_URL_${suffix}` };
};
