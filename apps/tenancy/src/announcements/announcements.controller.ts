import type { ServiceCaller } from '@gatehouse/contracts-core';
import { CurrentCaller, Internal } from '@gatehouse/auth';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AnnounceEverything } from './announce-everything.ts';

@Controller('internal/tenancy/announcements')
@ApiExcludeController()
export class AnnouncementsController {
  constructor(private readonly announceEverything: AnnounceEverything) {}

  @Post()
  @HttpCode(200)
  @Internal()
  announce(@CurrentCaller() caller: ServiceCaller): Promise<Record<string, number>> {
    return this.announceEverything.execute(caller);
  }
}
