import type { Tracing, TracingOptions } from './tracing.ts';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** In seconds. */
const LATENCY_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** The longest time that a scrape waits for values that must be fetched from a server. */
const READING_MS = 2_000;
/**
 * How often the event loop's delay is sampled. The package's default of 10 ms wakes an idle process a hundred times per
 * second, which costs more than the process's own work.
 */
const EVENT_LOOP_TICK_MS = 100;

type Labels = Readonly<Record<string, string>>;
/** The values of each label. */
type LabelValues = Readonly<Record<string, readonly string[]>>;

/** The value of a gauge at the time of a scrape. */
export interface Reading {
  readonly of: Gauge;
  readonly value: number;
  readonly labels?: Labels;
}

interface Source {
  readonly gauges: readonly Gauge[];
  readonly read: () => Promise<readonly Reading[]>;
  readonly otherwise: readonly Reading[];
  /** A reading that is under way; another one would only add load. */
  pending: Promise<readonly Reading[]> | null;
}

/**
 * The metrics of one service, in a separate registry so that several services can run in one process. Label values come
 * from closed lists or route templates: never an id, a path or a name that a user or client chose.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly requests = new Histogram({
    name: 'gatehouse_http_request_seconds',
    help: 'Duration of requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS,
    registers: [this.registry],
  });
  private readonly sources: Source[] = [];

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: EVENT_LOOP_TICK_MS });
  }

  /**
   * Returns the counter of that name and creates it at the first call. Every combination of the labels' values starts
   * at 0: Prometheus sees no increase in a series that begins with 1.
   */
  counter(name: `gatehouse_${string}_total`, help: string, labels: LabelValues = {}): Counter {
    const counter =
      (this.registry.getSingleMetric(name) as Counter | undefined) ??
      new Counter({ name, help, labelNames: Object.keys(labels), registers: [this.registry] });
    for (const values of combinationsOf(labels)) counter.inc(values, 0);
    return counter;
  }

  /** Returns the gauge of that name and creates it at the first call. */
  gauge(name: `gatehouse_${string}`, help: string, labelNames: string[] = []): Gauge {
    return (
      (this.registry.getSingleMetric(name) as Gauge | undefined) ??
      new Gauge({ name, help, labelNames, registers: [this.registry] })
    );
  }

  /** Returns the histogram of that name and creates it at the first call. @param buckets upper bounds, in seconds */
  histogram(name: `gatehouse_${string}_seconds`, help: string, labels: LabelValues, buckets: number[]): Histogram {
    const histogram =
      (this.registry.getSingleMetric(name) as Histogram | undefined) ??
      new Histogram({ name, help, labelNames: Object.keys(labels), buckets, registers: [this.registry] });
    for (const values of combinationsOf(labels)) histogram.zero(values);
    return histogram;
  }

  /**
   * Registers gauges that are read at each scrape; several sources may share a gauge.
   * @param otherwise what is told when the source fails or takes too long; by default nothing, because a missing value
   * is better than an outdated one
   */
  atScrape(
    gauges: readonly Gauge[],
    read: () => Promise<readonly Reading[]>,
    otherwise: readonly Reading[] = [],
  ): void {
    this.sources.push({ gauges, read, otherwise, pending: null });
  }

  /** All metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    await this.scrape();
    return this.registry.metrics();
  }

  /** What the gauges of these names show now, in the order of the names: nothing for one that this service lacks. */
  async read(...names: `gatehouse_${string}`[]): Promise<(readonly { value: number; labels: Labels }[])[]> {
    await this.scrape();
    const valuesOf = async (name: string): Promise<{ value: number; labels: Labels }[]> =>
      ((await (this.registry.getSingleMetric(name) as Gauge | undefined)?.get())?.values ?? []) as never;
    return Promise.all(names.map(valuesOf));
  }

  private async scrape(): Promise<void> {
    const readings = await Promise.all(this.sources.map((source) => readingsOf(source)));
    for (const gauge of this.sources.flatMap(({ gauges }) => gauges)) clear(gauge);
    for (const { of, value, labels = {} } of readings.flat()) of.set(labels, value);
  }
}

const combinationsOf = (labels: LabelValues): Labels[] =>
  Object.entries(labels).reduce<Labels[]>(
    (all, [name, values]) => all.flatMap((before) => values.map((value) => ({ ...before, [name]: value }))),
    [{}],
  );

function readingsOf(source: Source): Promise<readonly Reading[]> {
  source.pending ??= source.read().finally(() => (source.pending = null));
  return inTime(source.pending).catch(() => source.otherwise);
}

/** The client library's `reset` sets a gauge without labels to 0, which would be a false reading. */
function clear(gauge: Gauge): void {
  gauge.reset();
  gauge.remove({});
}

function inTime<T>(reading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the reading took too long')), READING_MS);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

export type ObjectiveName = 'sign_in' | 'decision' | 'report' | 'event';

/** Counts how often a service did what it is meant to do, and how often it failed or was late. */
export class Objective {
  private readonly counter: Counter;

  constructor(
    metrics: Metrics,
    private readonly objective: ObjectiveName,
  ) {
    this.counter = metrics.counter('gatehouse_objectives_total', 'Work under an objective, by whether it was met', {
      objective: [objective],
      result: ['met', 'missed'],
    });
  }

  note(isMet: boolean): void {
    this.counter.inc({ objective: this.objective, result: isMet ? 'met' : 'missed' });
  }
}

/** Returns null without an endpoint; then the tracing library is not loaded and causes no cost. */
export async function openTracing({
  endpoint,
  ...options
}: Omit<TracingOptions, 'endpoint'> & { endpoint: string | undefined }): Promise<Tracing | null> {
  if (!endpoint) return null;
  const { Tracing } = await import('./tracing.ts');
  return new Tracing({ endpoint, ...options });
}
