import { Module } from '@nestjs/common';
import { DeliverPushes } from './deliver-pushes.ts';
import { DeliveriesRepository } from './deliveries.repository.ts';
import { QueueDeliveries } from './queue-deliveries.ts';
import { PushSubscriptionsModule } from '../push-subscriptions/push-subscriptions.module.ts';
import { SendPush } from './send-push.ts';

@Module({
  imports: [PushSubscriptionsModule],
  providers: [DeliveriesRepository, QueueDeliveries, SendPush, DeliverPushes],
})
export class DeliveriesModule {}
