import type { ServiceCaller } from '@gatehouse/contracts-core';
import { CurrentCaller, OperatorRoute } from '@gatehouse/auth';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { StatePublicationService } from './state-publication.service.ts';

@Controller('internal/tenancy/announcements')
@ApiExcludeController()
export class StatePublicationController {
  constructor(private readonly statePublication: StatePublicationService) {}

  @Post()
  @HttpCode(200)
  @OperatorRoute()
  publish(@CurrentCaller() caller: ServiceCaller): Promise<Record<string, number>> {
    return this.statePublication.publishAllState(caller);
  }
}
