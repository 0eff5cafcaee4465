import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Refuses, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { VapidKeys } from '../vapid/vapid-keys.ts';
import { asOwner } from './as-owner.ts';
import {
  CreatedPushSubscriptionAnswer,
  CreatePushSubscriptionDto,
  DeletedAnswer,
  PushSubscriptionListAnswer,
  VapidKeyAnswer,
  viewOf,
} from './push-subscription.dto.ts';
import { PushSubscription } from './push-subscription.entity.ts';
import { Subscribe } from './subscribe.ts';
import { Unsubscribe } from './unsubscribe.ts';

@ApiTags('push subscriptions')
@Controller('push-subscriptions')
export class PushSubscriptionsController {
  constructor(
    private readonly work: UnitOfWork,
    private readonly subscribe: Subscribe,
    private readonly unsubscribe: Unsubscribe,
    private readonly vapid: VapidKeys,
  ) {}

  @Get()
  @Requires(null)
  @ApiOkResponse({ type: PushSubscriptionListAnswer })
  async list(@CurrentCaller() caller: UserCaller): Promise<PushSubscriptionListAnswer> {
    const own = await this.work.read(caller, async (reader) => {
      await asOwner(reader, caller.userId);
      return reader.manager.find(PushSubscription, { where: { userId: caller.userId }, order: { id: 'ASC' } });
    });
    return { data: own.map(viewOf) };
  }

  @Get('vapid-key')
  @Requires(null)
  @ApiOkResponse({ type: VapidKeyAnswer })
  async vapidKey(): Promise<VapidKeyAnswer> {
    const { publicKey } = await this.vapid.current();
    return { data: { publicKey } };
  }

  @Post()
  @Requires(null)
  @ApiCreatedResponse({ type: CreatedPushSubscriptionAnswer })
  async create(
    @CurrentCaller() caller: UserCaller,
    @Body() body: CreatePushSubscriptionDto,
  ): Promise<CreatedPushSubscriptionAnswer> {
    return { data: await this.subscribe.execute(caller, body) };
  }

  @Delete(':id')
  @Requires(null)
  @ApiOkResponse({ type: DeletedAnswer })
  @Refuses('push_subscription_not_found')
  remove(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DeletedAnswer> {
    return this.unsubscribe.execute(caller, id);
  }
}
