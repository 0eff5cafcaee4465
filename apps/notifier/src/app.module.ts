import { allowancesFrom, Egress } from '@gatehouse/egress';
import { Metrics } from '@gatehouse/telemetry';
import { TenantDataModule } from '@gatehouse/tenant-data';
import { Global, Module } from '@nestjs/common';
import { DeliverPushes } from './deliveries/deliver-pushes.ts';
import { DeliveriesRepository } from './deliveries/deliveries.repository.ts';
import { PushTestsController } from './deliveries/push-tests.controller.ts';
import { PushSubscriptionsController } from './push-subscriptions/push-subscriptions.controller.ts';
import { QueueDeliveries, QueueOutcomes } from './deliveries/queue-deliveries.ts';
import { SendPush } from './deliveries/send-push.ts';
import { DeliveriesService } from './deliveries/deliveries.service.ts';
import { PushSubscriptionsService } from './push-subscriptions/push-subscriptions.service.ts';
import { LiveEventsController } from './live-events/live-events.controller.ts';
import { LiveFeed } from './live-events/live-feed.ts';
import { NotifierConfig } from './notifier.config.ts';
import { PushSubscriptionsRepository } from './push-subscriptions/push-subscriptions.repository.ts';
import { notifierTenantData } from './tenants/notifier-tenant-data.ts';
import { VapidKeysRepository } from './vapid/vapid-keys.repository.ts';
import { VapidKeys } from './vapid/vapid-keys.ts';

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

const deliveries = {
  controllers: [PushTestsController],
  providers: [DeliveriesRepository, QueueDeliveries, QueueOutcomes, SendPush, DeliverPushes, DeliveriesService],
};

const liveEvents = { controllers: [LiveEventsController], providers: [LiveFeed] };

const pushSubscriptions = {
  controllers: [PushSubscriptionsController],
  providers: [PushSubscriptionsRepository, PushSubscriptionsService],
};

const vapid = { providers: [VapidKeysRepository, VapidKeys] };

@Module({
  imports: [EgressModule, TenantDataModule.with(notifierTenantData)],
  controllers: [...deliveries.controllers, ...liveEvents.controllers, ...pushSubscriptions.controllers],
  providers: [...deliveries.providers, ...liveEvents.providers, ...pushSubscriptions.providers, ...vapid.providers],
})
export class AppModule {}
