import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ActiveElevationsResponse,
  ElevationRequestResponse,
  ElevationRequestsResponse,
  ListActiveElevationsQuery,
  ListElevationRequestsQuery,
  StatisticsQuery,
  StatisticsResponse,
} from '@gatehouse/contracts-pam';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { StatisticsService } from './statistics.service.ts';
import { ElevationRequestsService } from './elevation-requests.service.ts';

@ApiTags('Elevation requests')
@Controller('pam')
export class ElevationRequestsController {
  constructor(private readonly elevationRequests: ElevationRequestsService) {}

  /** Lists elevation requests, newest first. */
  @Get('elevation-requests')
  @Requires('devices:read')
  @ApiOkResponse({ type: ElevationRequestsResponse })
  list(
    @CurrentCaller() caller: UserCaller,
    @Query() query: ListElevationRequestsQuery,
  ): Promise<ElevationRequestsResponse> {
    return this.elevationRequests.list(caller, query);
  }

  /**
   * Reads a request with everything known about it. This includes what the agent reported, the timeline, the outcomes
   * of earlier requests for the same file, device and person, and whether the caller can decide it.
   */
  @Get('elevation-requests/:id')
  @Requires('devices:read')
  @ApiOkResponse({ type: ElevationRequestResponse })
  @ApiProblems('site_access_denied', 'elevation_request_not_found')
  async get(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<ElevationRequestResponse> {
    return { success: true, request: await this.elevationRequests.get(caller, id) };
  }

  /** Lists the active elevations, at most 500. */
  @Get('active')
  @Requires('devices:read')
  @ApiOkResponse({ type: ActiveElevationsResponse })
  active(
    @CurrentCaller() caller: UserCaller,
    @Query() query: ListActiveElevationsQuery,
  ): Promise<ActiveElevationsResponse> {
    return this.elevationRequests.listActiveElevations(caller, query);
  }
}

@ApiTags('Elevation requests')
@Controller('pam/statistics')
export class StatisticsController {
  constructor(
    private readonly statistics: StatisticsService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Counts the requests of a period by outcome, and measures how quickly people decided. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: StatisticsResponse })
  @ApiProblems('organization_not_found', 'site_not_found', 'site_access_denied')
  get(@CurrentCaller() caller: UserCaller, @Query() query: StatisticsQuery): Promise<StatisticsResponse> {
    return this.heavyCalls.during(caller.id, () => this.statistics.get(caller, query));
  }
}
