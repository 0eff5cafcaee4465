import { UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { readFileSync } from 'node:fs';

interface Access {
  readonly kind: string;
  readonly permission?: string | null;
  readonly mfa?: boolean;
  readonly levels?: readonly string[];
  /** The audit action with which a refused request is recorded. */
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

/** Every route of every service, as its contract declares it. */
export const ROUTES: readonly Route[] = UPSTREAM_NAMES.flatMap(routesOf);
export const MUTATING = ROUTES.filter(({ method }) => method !== 'GET');
/** Routes that require a permission, a scope or a second factor of users before they change or export anything. */
export const GATED = ROUTES.filter(
  ({ kind, permission, mfa, levels, method }) =>
    kind === 'user' && (method !== 'GET' || permission === 'audit:export') && Boolean(permission ?? mfa ?? levels),
);
