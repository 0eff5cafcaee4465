import { CurrentCaller, OperatorRoute } from '@gatehouse/auth';
import { Instant, type ServiceCaller, Text, Whole } from '@gatehouse/contracts-core';
import { type ResealedSlice, type SealedReport, SealedSecrets, UnitOfWork } from '@gatehouse/database';
import { type DeadLetter, DeadLetters, OutboxRelay, type Replay } from '@gatehouse/messaging';
import { Body, Controller, Get, HttpCode, Injectable, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { UuidParam } from '../http/validation.ts';

/**
 * publishes events again that the broker has lost, as far as the outbox still holds them (72 h). Consumers that
 * have already applied an event ignore it.
 */
@Injectable()
export class RepublishEvents {
  constructor(
    private readonly work: UnitOfWork,
    private readonly relay: OutboxRelay,
  ) {}

  async execute(caller: ServiceCaller, since: Date): Promise<{ events: number }> {
    const until = new Date();
    let events = 0;
    for (let batch = -1; batch !== 0; events += batch) batch = await this.batch(caller, since, until);
    this.relay.poke();
    return { events };
  }

  private batch(caller: ServiceCaller, since: Date, until: Date): Promise<number> {
    return this.work.background(caller, async (tx) => {
      const events = await this.relay.republish(tx, since, until);
      if (events > 0)
        tx.audit({
          action: 'outbox.republish',
          resource: { type: 'outbox', id: null },
          partnerId: null,
          orgId: null,
          details: { events, since: since.toISOString() },
        });
      return events;
    });
  }
}

const MAX_BLOCKS = 2_147_483_647;

class ResealSliceDto {
  @Text({ max: 130 }) column!: string;
  /** 0, or the `next` of the previous slice. */
  @Whole({ min: 0, max: MAX_BLOCKS }) fromBlock!: number;
}

class RepublishDto {
  @Instant() since!: string;
}

/** The routes that `npm run operate` calls on every service with a database. */
@Controller('internal/operator')
@ApiExcludeController()
export class OperatorController {
  constructor(
    private readonly sealed: SealedSecrets,
    private readonly deadLetterStore: DeadLetters,
    private readonly republishing: RepublishEvents,
  ) {}

  @Get('sealed-secrets')
  @OperatorRoute()
  sealedSecrets(): Promise<SealedReport> {
    return this.sealed.report();
  }

  @Post('sealed-secrets/reseal')
  @HttpCode(200)
  @OperatorRoute()
  reseal(
    @CurrentCaller() caller: ServiceCaller,
    @Body() { column, fromBlock }: ResealSliceDto,
  ): Promise<ResealedSlice> {
    return this.sealed.reseal(caller, column, fromBlock);
  }

  @Get('dead-letters')
  @OperatorRoute()
  async deadLetters(): Promise<{ data: DeadLetter[] }> {
    return { data: await this.deadLetterStore.list() };
  }

  @Post('dead-letters/:id/replay')
  @HttpCode(200)
  @OperatorRoute()
  replay(@CurrentCaller() caller: ServiceCaller, @Param('id', UuidParam) id: string): Promise<Replay> {
    return this.deadLetterStore.replay(caller, id);
  }

  @Post('outbox/republish')
  @HttpCode(200)
  @OperatorRoute()
  republish(@CurrentCaller() caller: ServiceCaller, @Body() { since }: RepublishDto): Promise<{ events: number }> {
    return this.republishing.execute(caller, new Date(since));
  }
}
