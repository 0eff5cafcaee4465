import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { VapidKeys } from '../vapid/vapid-keys.ts';
import {
  CreatedPushSubscriptionResponse,
  CreatePushSubscriptionDto,
  DeletedResponse,
  PushSubscriptionListResponse,
  VapidKeyResponse,
} from './push-subscription.dto.ts';
import { PushSubscriptionsService } from './push-subscriptions.service.ts';

@ApiTags('push subscriptions')
@Controller('push-subscriptions')
export class PushSubscriptionsController {
  constructor(
    private readonly pushSubscriptions: PushSubscriptionsService,
    private readonly vapid: VapidKeys,
  ) {}

  /** Lists the caller's push subscriptions for new approvals. */
  @Get()
  @Requires(null)
  @ApiOkResponse({ type: PushSubscriptionListResponse })
  async list(@CurrentCaller() caller: UserCaller): Promise<PushSubscriptionListResponse> {
    return { data: await this.pushSubscriptions.list(caller) };
  }

  /** Reads the public key that browsers need to subscribe. */
  @Get('vapid-key')
  @Requires(null)
  @ApiOkResponse({ type: VapidKeyResponse })
  async vapidKey(): Promise<VapidKeyResponse> {
    const { publicKey } = await this.vapid.current();
    return { data: { publicKey } };
  }

  /**
   * Subscribes a browser or a webhook to new approvals. A message contains the id of the approval and a neutral title,
   * never a path or a name.
   */
  @Post()
  @Requires(null, { sessionOnly: true })
  @ApiCreatedResponse({ type: CreatedPushSubscriptionResponse })
  @ApiProblems('idempotency_secret_shown')
  async create(
    @CurrentCaller() caller: UserCaller,
    @Body() body: CreatePushSubscriptionDto,
  ): Promise<CreatedPushSubscriptionResponse> {
    return { data: await this.pushSubscriptions.subscribe(caller, body) };
  }

  /** Ends a subscription. */
  @Delete(':id')
  @Requires(null)
  @ApiOkResponse({ type: DeletedResponse })
  @ApiProblems('push_subscription_not_found')
  remove(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeletedResponse> {
    return this.pushSubscriptions.unsubscribe(caller, id);
  }
}
