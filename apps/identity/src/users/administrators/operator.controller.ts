import { CurrentCaller, OperatorRoute } from '@gatehouse/auth';
import { Email, type ServiceCaller, Text } from '@gatehouse/contracts-core';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { TechniciansService } from '../../sessions/technicians/technicians.service.ts';
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
