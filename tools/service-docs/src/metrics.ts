import type { Metric } from './definitions.ts';
import { code, tableOf } from './table.ts';

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
