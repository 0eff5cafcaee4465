import type { Metrics } from '@gatehouse/telemetry';

/**
 * Counts tokens that were refused because the clocks of the issuer and of this service differ. Every such request fails
 * until an operator corrects the clocks.
 */
export const clockFaultsOf = (metrics: Metrics): ReturnType<Metrics['counter']> =>
  metrics.counter('gatehouse_clock_faults_total', 'Tokens refused because clocks differ');
