import { allowancesFrom, Egress } from '@gatehouse/egress';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { IdentityConfig } from '../identity.config.ts';

/** The way out to identity providers, as the settings allow it. */
@Injectable()
export class IdentityEgress extends Egress implements OnApplicationShutdown {
  constructor(config: IdentityConfig, metrics: Metrics) {
    super({
      allowances: allowancesFrom(config.egressAllowHosts, config.egressAllowHttp),
      dnsServers: config.dnsServers,
      metrics,
    });
  }

  /** Called when the last request has been answered: a sign-in under way still needs its identity provider. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
