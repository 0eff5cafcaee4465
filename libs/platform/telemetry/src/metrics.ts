import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds. */
const LATENCY_BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** A scrape does not wait longer than this for what must be asked of a server. */
const READING_MS = 2_000;
/**
 * How often the event loop's delay is looked at. The package's 10 ms wake an idle process a hundred times a second,
 * which costs it more than all it does.
 */
const EVENT_LOOP_TICK_MS = 100;

type Labels = Readonly<Record<string, string>>;

/** The value of a gauge at the moment of a scrape. */
export interface Reading {
  readonly of: Gauge;
  readonly value: number;
  readonly labels?: Labels;
}

interface Source {
  readonly gauges: readonly Gauge[];
  readonly read: () => Promise<readonly Reading[]>;
  /** The last reading has not come back: asking again would only add to what keeps it. */
  waiting: boolean;
}

/**
 * The numbers of one service, in a registry of its own so that several services fit into one process. Values of labels
 * come from
 * closed lists or from route templates: never an id, a path or a name that somebody else chose.
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

  /** The counter of that name, made at its first mention. */
  counter(name: `gatehouse_${string}_total`, help: string, labelNames: string[] = []): Counter {
    return (
      (this.registry.getSingleMetric(name) as Counter | undefined) ??
      new Counter({ name, help, labelNames, registers: [this.registry] })
    );
  }

  /** The gauge of that name, made at its first mention. */
  gauge(name: `gatehouse_${string}`, help: string, labelNames: string[] = []): Gauge {
    return (
      (this.registry.getSingleMetric(name) as Gauge | undefined) ??
      new Gauge({ name, help, labelNames, registers: [this.registry] })
    );
  }

  /**
   * Has gauges read at each scrape. A source that fails, or takes too long, leaves its gauges out: no number is better
   * than an old one.
   */
  atScrape(gauges: readonly Gauge[], read: () => Promise<readonly Reading[]>): void {
    this.sources.push({ gauges, read, waiting: false });
  }

  /** Everything in the text format of Prometheus. */
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

/** The client's own `reset` leaves a gauge without labels at 0, which would be a lie. */
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
