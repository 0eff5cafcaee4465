import { CurrentCaller, OperatorRoute } from '@gatehouse/auth';
import type { ServiceCaller } from '@gatehouse/contracts-core';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CheckpointKeys } from './checkpoint-keys.ts';

@Controller('internal/checkpoint-keys')
@ApiExcludeController()
export class CheckpointKeysController {
  constructor(private readonly keys: CheckpointKeys) {}

  @Post('rotate')
  @HttpCode(200)
  @OperatorRoute()
  rotate(@CurrentCaller() caller: ServiceCaller): Promise<{ kid: string }> {
    return this.keys.rotate(caller);
  }
}
