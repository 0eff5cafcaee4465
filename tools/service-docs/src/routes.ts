import { API_PREFIX, type UpstreamName } from '@gatehouse/contracts-core';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayRoutes, REPOSITORY } from './definitions.ts';
import { code, tableOf } from './table.ts';

interface Access {
  readonly kind: string;
  readonly permission?: string | null;
  readonly mfa?: boolean;
  readonly levels?: readonly string[];
}

interface Operation {
  readonly summary?: string;
  readonly 'x-access': Access;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Who may call a route: `devices:read`, `signed in`, `agent`. */
export function accessOf({ kind, permission, levels, mfa }: Access): string {
  if (kind !== 'user') return kind;
  const scope = levels && `${levels.join(' or ')} scope`;
  return [permission ? code(permission) : 'signed in', scope, mfa && 'second factor'].filter(Boolean).join(', ');
}

/** The routes of a service, as its contract declares them. */
export function routesOf(service: UpstreamName): string {
  const document = JSON.parse(readFileSync(join(REPOSITORY, 'apps', service, 'openapi.json'), 'utf8')) as Document;
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary = '', 'x-access': access }]) => [
      code(`${method.toUpperCase()} ${path.replace(API_PREFIX, '')}`),
      accessOf(access),
      summary.replace(/\.$/, ''),
    ]),
  );
  return tableOf(['route', 'access', 'what it does'], rows, 'None.');
}

/** The gateway's routing table. */
export async function routingTable(): Promise<string> {
  const rows = (await gatewayRoutes()).map(({ path, upstream, credential, bodyLimit }) => [
    code(path),
    upstream,
    credential,
    bodyLimit === undefined ? '' : `${bodyLimit / 1024} KiB`,
  ]);
  return tableOf(['address, and all below it', 'service', 'credential', 'body limit'], rows, 'None.');
}
