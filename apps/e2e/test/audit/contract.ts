import { readFileSync } from 'node:fs';

const SERVICES = ['audit', 'identity', 'notifier', 'pam-ingest', 'pam', 'tenancy'];

interface Access {
  readonly kind: string;
  readonly permission?: string | null;
  readonly mfa?: boolean;
  readonly levels?: readonly string[];
  /** What a refusal is recorded as. */
  readonly audit?: string | Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Route extends Access {
  /** `POST /users/{id}` */
  readonly route: string;
  readonly method: string;
}

interface Contract {
  readonly paths: Record<string, Record<string, { readonly 'x-access': Access }>>;
}

function routesOf(service: string): Route[] {
  const { paths } = JSON.parse(
    readFileSync(new URL(`../../../${service}/openapi.json`, import.meta.url), 'utf8'),
  ) as Contract;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation['x-access'],
      method: method.toUpperCase(),
      route: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
    })),
  );
}

/** Every route of every service, as the services declare them. */
export const ROUTES: readonly Route[] = SERVICES.flatMap(routesOf);
export const MUTATING = ROUTES.filter(({ method }) => method !== 'GET');
/** Routes that ask people for a right, a scope or a second factor before they change or export anything. */
export const GATED = ROUTES.filter(
  ({ kind, permission, mfa, levels, method }) =>
    kind === 'user' && (method !== 'GET' || permission === 'audit:export') && Boolean(permission ?? mfa ?? levels),
);
