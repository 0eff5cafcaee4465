import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { PushSubscriptionResponse } from '../push-subscriptions/push-subscription.dto.ts';
import { DeliveriesService } from './deliveries.service.ts';

@ApiTags('push subscriptions')
@Controller('push-subscriptions/:id/test')
export class PushTestsController {
  constructor(private readonly deliveries: DeliveriesService) {}

  /**
   * Sends a test message to a subscription of the caller and waits for the response of its endpoint. The response shows
   * the result: a new `lastDeliveredAt`, or a new `lastFailure`. A subscription whose endpoint responds with 404 or 410
   * ends. The message is `{ test: true, title }`. At most ten tests are possible in five minutes.
   */
  @Post()
  @Requires(null)
  @HttpCode(200)
  @ApiOkResponse({ type: PushSubscriptionResponse })
  @ApiProblems('push_subscription_not_found', 'rate_limited')
  test(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<PushSubscriptionResponse> {
    return this.deliveries.testPushSubscription(caller, id);
  }
}
