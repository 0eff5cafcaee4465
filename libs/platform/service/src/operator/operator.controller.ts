import { CurrentCaller, OperatorRoute } from '@gatehouse/auth';
import type { ServiceCaller } from '@gatehouse/contracts-core';
import { type ResealedSlice, type SealedReport, SealedSecrets } from '@gatehouse/database';
import { type DeadLetter, DeadLetters, type Replay } from '@gatehouse/messaging';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { UuidParam } from '../http/validation.ts';
import { RepublishDto, ResealSliceDto } from './operator.dto.ts';
import { RepublishEvents } from './republish-events.ts';

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
