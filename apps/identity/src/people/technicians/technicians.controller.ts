import { CurrentCaller, OperatorRoute } from '@gatehouse/auth';
import type { ServiceCaller } from '@gatehouse/contracts-core';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { TechniciansService } from './technicians.service.ts';

@ApiExcludeController()
@Controller('internal/technicians')
export class TechniciansController {
  constructor(private readonly technicians: TechniciansService) {}

  @Post('replay')
  @OperatorRoute()
  @HttpCode(200)
  replay(@CurrentCaller() caller: ServiceCaller): Promise<{ told: number }> {
    return this.technicians.replay(caller);
  }
}
