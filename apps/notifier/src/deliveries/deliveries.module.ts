import { Module } from '@nestjs/common';
import { DeliverPushes } from './deliver-pushes.ts';
import { DeliveriesRepository } from './deliveries.repository.ts';
import { QueueDeliveries } from './queue-deliveries.ts';
import { QueueOutcomes } from './queue-outcomes.ts';
import { PushSubscriptionsModule } from '../push-subscriptions/push-subscriptions.module.ts';
import { PushTestsController } from './push-tests.controller.ts';
import { SendPush } from './send-push.ts';
import { TestPushSubscription } from './test-push-subscription.ts';

@Module({
  imports: [PushSubscriptionsModule],
  controllers: [PushTestsController],
  providers: [DeliveriesRepository, QueueDeliveries, QueueOutcomes, SendPush, DeliverPushes, TestPushSubscription],
})
export class DeliveriesModule {}
