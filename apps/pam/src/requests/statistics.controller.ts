import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { StatisticsQuery, StatisticsResponse } from '@gatehouse/contracts-pam';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems } from '@gatehouse/service';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { StatisticsService } from './statistics.service.ts';

@ApiTags('Elevation requests')
@Controller('pam/statistics')
export class StatisticsController {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Counts the requests of a period by what became of them, and says how fast people decided. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: StatisticsResponse })
  @ApiProblems('organization_not_found', 'site_not_found', 'site_access_denied')
  get(@CurrentCaller() caller: UserCaller, @Query() query: StatisticsQuery): Promise<StatisticsResponse> {
    return this.heavyCalls.during(caller.id, () => this.statistics.get(caller, query));
  }
}
