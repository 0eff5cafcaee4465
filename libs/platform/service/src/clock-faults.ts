import type { Metrics } from '@gatehouse/telemetry';

/**
 * Tokens that were refused because the clock of their issuer and the clock here differ: nobody gets through until that
 * is put right.
 */
export const clockFaultsOf = (metrics: Metrics): ReturnType<Metrics['counter']> =>
  metrics.counter('gatehouse_clock_faults_total', 'Tokens refused because clocks differ');
