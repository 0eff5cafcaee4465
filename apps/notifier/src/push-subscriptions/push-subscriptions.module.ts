import { Module } from '@nestjs/common';
import { PushSubscriptionsController } from './push-subscriptions.controller.ts';
import { Subscribe } from './subscribe.ts';
import { Unsubscribe } from './unsubscribe.ts';

@Module({ controllers: [PushSubscriptionsController], providers: [Subscribe, Unsubscribe] })
export class PushSubscriptionsModule {}
