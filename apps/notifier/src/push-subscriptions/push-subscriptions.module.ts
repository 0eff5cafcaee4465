import { Module } from '@nestjs/common';
import { ListPushSubscriptions } from './list-push-subscriptions.ts';
import { PushSubscriptionsController } from './push-subscriptions.controller.ts';
import { PushSubscriptionsRepository } from './push-subscriptions.repository.ts';
import { Subscribe } from './subscribe.ts';
import { Unsubscribe } from './unsubscribe.ts';

@Module({
  controllers: [PushSubscriptionsController],
  providers: [PushSubscriptionsRepository, ListPushSubscriptions, Subscribe, Unsubscribe],
  exports: [PushSubscriptionsRepository],
})
export class PushSubscriptionsModule {}
