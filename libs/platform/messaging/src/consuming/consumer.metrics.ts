import type { Metrics } from '@gatehouse/telemetry';

/** Metrics of the consumer of one stream. Each counter starts at 0, so that its first increase is visible. */
export function consumerMetrics(metrics: Metrics, stream: string) {
  const counter = (what: string, help: string): ((by?: number) => void) => {
    const own = metrics.counter(`gatehouse_consumer_${what}_total`, help, ['stream']).labels({ stream });
    own.inc(0);
    return (by = 1) => own.inc(by);
  };
  return {
    applied: counter('events', 'Events whose effect was committed'),
    failed: counter('failures', 'Batches of events that could not be applied, and are tried again'),
    redelivered: counter('redeliveries', 'Events that came more than once'),
    deadLettered: counter('dead_letters', 'Events that were given up after their last delivery'),
  };
}
