import type { ServiceName } from '@gatehouse/contracts-core';
import { auditSubject, TRAFFIC } from '@gatehouse/messaging';
import { gatewayRoutes, type Metric } from './definitions.ts';

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

/** The sections of every service's README. Those from `Routes` on are generated. */
const WRITTEN = ['What it does', 'Data', 'Folders'] as const;
const GENERATED = ['Routes', 'Events', 'Settings', 'Metrics'] as const;

export type Sections = Readonly<Record<(typeof GENERATED)[number], string>>;

const MARK = '<!-- Made by tools/service-docs from here on: npm run service-docs -->';

const headingsOf = (text: string): string[] => [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);

/** @returns what differs from the template in the part that is written by hand; null when nothing does */
export function faultOf(readme: string): string | null {
  const [written = ''] = readme.split(MARK);
  const headings = headingsOf(written);
  return headings.join() === WRITTEN.join()
    ? null
    : `its sections must be ${WRITTEN.join(', ')}; they are ${headings.join(', ')}`;
}

/** The README with its generated sections written anew. */
export function withSections(readme: string, sections: Sections): string {
  const [written = ''] = readme.split(MARK);
  const generated = GENERATED.map((name) => `## ${name}\n\n${sections[name]}\n`).join('\n');
  return `${written.trimEnd()}\n\n${MARK}\n\n${generated}`;
}
