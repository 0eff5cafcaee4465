import { allowancesFrom, Egress } from '@gatehouse/egress';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { IdentityConfig } from '../identity.config.ts';

/** The way out to identity providers, as the settings allow it. */
@Injectable()
export class IdentityEgress extends Egress implements OnModuleDestroy {
  constructor(config: IdentityConfig, metrics: Metrics) {
    super({ allowances: allowancesFrom(config.egressAllowHosts, config.egressAllowHttp), dnsServers: config.dnsServers, metrics });
  }

  onModuleDestroy(): Promise<void> {
    return this.close();
  }
}
