import { API_PREFIX, type ServiceName, type UpstreamName } from '@gatehouse/contracts-core';
import { auditSubject, TRAFFIC } from '@gatehouse/messaging';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayRoutes, type Metric, REPOSITORY } from './definitions.ts';

const cellOf = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A table in Markdown; text when it would have no rows. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[], otherwise: string): string {
  if (rows.length === 0) return otherwise;
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cellOf))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export const code = (text: string): string => `\`${text}\``;

/** What a service publishes, receives and asks at the broker. */
export function eventsOf(service: ServiceName): string {
  const traffic = TRAFFIC[service];
  if (!traffic) throw new Error(`${service} is not in the catalogue of traffic`);
  const audit = traffic.database === null ? [] : [auditSubject(service)];
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['out', [...traffic.states, ...audit]],
    ['in, each once', traffic.consumes],
    ['in, at every replica', traffic.listens],
    ['requests', traffic.asks],
    ['replies to', traffic.answers],
  ];
  const rows = kinds.flatMap(([kind, subjects]) => subjects.map((subject) => [kind, code(subject)]));
  return tableOf(['direction', 'subject'], rows, 'None.');
}

const rowOf = ({ name, type, labelNames = [], help }: Metric): string[] => [
  code(name),
  type,
  labelNames.map(code).join(', '),
  help,
];

export const metricsTable = (metrics: readonly Metric[], otherwise: string): string =>
  tableOf(['metric', 'type', 'labels', 'meaning'], metrics.map(rowOf), otherwise);

/** The metrics that each of the lists has. */
export const commonTo = (lists: readonly (readonly Metric[])[]): Metric[] =>
  (lists[0] ?? []).filter(({ name }) => lists.every((list) => list.some((metric) => metric.name === name)));

export const without = (metrics: readonly Metric[], others: readonly Metric[]): Metric[] =>
  metrics.filter(({ name }) => !others.some((other) => other.name === name));

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
