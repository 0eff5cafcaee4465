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

/** The value of a gauge at the time of a scrape. */
export interface Reading {
  readonly of: Gauge;
  readonly value: number;
  readonly labels?: Labels;
}

interface Source {
  readonly gauges: readonly Gauge[];
  readonly read: () => Promise<readonly Reading[]>;
  /** The previous reading is still pending; another one would only add load. */
  waiting: boolean;
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

  /** Returns the counter of that name and creates it at the first call. */
  counter(name: `gatehouse_${string}_total`, help: string, labelNames: string[] = []): Counter {
    return (
      (this.registry.getSingleMetric(name) as Counter | undefined) ??
      new Counter({ name, help, labelNames, registers: [this.registry] })
    );
  }

  /** Returns the gauge of that name and creates it at the first call. */
  gauge(name: `gatehouse_${string}`, help: string, labelNames: string[] = []): Gauge {
    return (
      (this.registry.getSingleMetric(name) as Gauge | undefined) ??
      new Gauge({ name, help, labelNames, registers: [this.registry] })
    );
  }

  /** Returns the histogram of that name and creates it at the first call. @param buckets upper bounds, in seconds */
  histogram(name: `gatehouse_${string}_seconds`, help: string, labelNames: string[], buckets: number[]): Histogram {
    return (
      (this.registry.getSingleMetric(name) as Histogram | undefined) ??
      new Histogram({ name, help, labelNames, buckets, registers: [this.registry] })
    );
  }

  /**
   * Registers gauges that are read at each scrape. When a source fails or exceeds the time limit, its gauges are left
   * out: a missing value is better than an outdated one.
   */
  atScrape(gauges: readonly Gauge[], read: () => Promise<readonly Reading[]>): void {
    this.sources.push({ gauges, read, waiting: false });
  }

  /** All metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    await Promise.all(this.sources.map((source) => refresh(source)));
    return this.registry.metrics();
  }
}

async function refresh(source: Source): Promise<void> {
  const readings = source.waiting ? [] : await inTime(readOnce(source)).catch(() => []);
  for (const gauge of source.gauges) clear(gauge);
  for (const { of, value, labels = {} } of readings) of.set(labels, value);
}

async function readOnce(source: Source): Promise<readonly Reading[]> {
  source.waiting = true;
  return source.read().finally(() => (source.waiting = false));
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
