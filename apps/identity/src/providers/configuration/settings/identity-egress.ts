import { allowancesFrom, Egress, PrivatePlaces } from '@gatehouse/egress';
import { Metrics } from '@gatehouse/telemetry';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { IdentityConfig } from '../../../identity.config.ts';

/** The egress to identity providers, as the settings allow it. */
@Injectable()
export class IdentityEgress extends Egress implements OnApplicationShutdown {
  constructor(config: IdentityConfig, metrics: Metrics) {
    super({
      allowances: allowancesFrom(
        config.egressAllowHosts,
        config.egressAllowHttp,
        PrivatePlaces.from(config.egressPrivateAllow),
      ),
      dnsServers: config.dnsServers,
      metrics,
    });
  }

  /** Runs after the last request was answered, because sign-ins in progress still call their provider. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
