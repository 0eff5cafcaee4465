import { Egress, allowancesFrom } from '@gatehouse/egress';
import { Metrics } from '@gatehouse/telemetry';
import { TenantDataModule } from '@gatehouse/tenant-data';
import { Global, Module } from '@nestjs/common';
import { DeliveriesModule } from './deliveries/deliveries.module.ts';
import { LiveEventsModule } from './live-events/live-events.module.ts';
import { NotifierConfig } from './notifier.config.ts';
import { PushSubscriptionsModule } from './push-subscriptions/push-subscriptions.module.ts';
import { notifierTenantData } from './tenants/notifier-tenant-data.ts';
import { VapidModule } from './vapid/vapid.module.ts';

const egress = {
  provide: Egress,
  inject: [NotifierConfig, Metrics],
  useFactory: (config: NotifierConfig, metrics: Metrics) =>
    new Egress({
      allowances: allowancesFrom(config.egressAllowHosts, config.egressAllowHttp),
      dnsServers: config.dnsServers,
      metrics,
    }),
};

@Global()
@Module({ providers: [egress], exports: [egress] })
class EgressModule {}

@Module({
  imports: [
    EgressModule,
    VapidModule,
    PushSubscriptionsModule,
    DeliveriesModule,
    LiveEventsModule,
    TenantDataModule.with(notifierTenantData),
  ],
})
export class AppModule {}
