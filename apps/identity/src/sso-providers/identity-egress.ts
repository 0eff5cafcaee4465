import { allowancesFrom, Egress } from '@gatehouse/egress';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { IdentityConfig } from '../identity.config.ts';

/** The way out to identity providers, as the settings allow it. */
@Injectable()
export class IdentityEgress extends Egress implements OnModuleDestroy {
  constructor(config: IdentityConfig) {
    super({ allowances: allowancesFrom(config.egressAllowHosts, config.egressAllowHttp), dnsServers: config.dnsServers });
  }

  onModuleDestroy(): Promise<void> {
    return this.close();
  }
}
