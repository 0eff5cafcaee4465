import { CurrentCaller, Internal } from '@gatehouse/auth';
import type { ServiceCaller } from '@gatehouse/contracts-core';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { ReplayTechnicians } from './replay-technicians.ts';

@ApiExcludeController()
@Controller('internal/technicians')
export class TechniciansController {
  constructor(private readonly replayTechnicians: ReplayTechnicians) {}

  @Post('replay')
  @Internal()
  @HttpCode(200)
  replay(@CurrentCaller() caller: ServiceCaller): Promise<{ told: number }> {
    return this.replayTechnicians.execute(caller);
  }
}
