import { CurrentCaller, OperatorRoute } from '@gatehouse/auth';
import { Email, type ServiceCaller, Text } from '@gatehouse/contracts-core';
import { Body, Controller, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AdministratorsService } from './administrators.service.ts';

class AdministratorInput {
  @Email() email!: string;
  @Text({ min: 1, max: 200 }) name!: string;
}

@ApiExcludeController()
@Controller('internal/administrators')
export class AdministratorsController {
  constructor(private readonly administrators: AdministratorsService) {}

  @Post()
  @OperatorRoute()
  admit(@CurrentCaller() caller: ServiceCaller, @Body() body: AdministratorInput): Promise<{ userId: string }> {
    return this.administrators.invite(caller, body);
  }
}
