import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ActiveElevationsResponse,
  ElevationRequestsResponse,
  ListActiveElevationsQuery,
  ListElevationRequestsQuery,
} from '@gatehouse/contracts-pam';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ListActiveElevations } from './list-active-elevations.ts';
import { ListElevationRequests } from './list-elevation-requests.ts';

@ApiTags('Elevation requests')
@Controller('pam')
export class ElevationRequestsController {
  constructor(
    private readonly listElevationRequests: ListElevationRequests,
    private readonly listActiveElevations: ListActiveElevations,
  ) {}

  /** Lists elevation requests, newest first. */
  @Get('elevation-requests')
  @Requires('devices:read')
  @ApiOkResponse({ type: ElevationRequestsResponse })
  list(
    @CurrentCaller() caller: UserCaller,
    @Query() query: ListElevationRequestsQuery,
  ): Promise<ElevationRequestsResponse> {
    return this.listElevationRequests.execute(caller, query);
  }

  /** Lists the elevations that are in force now, at most 500. */
  @Get('active')
  @Requires('devices:read')
  @ApiOkResponse({ type: ActiveElevationsResponse })
  active(
    @CurrentCaller() caller: UserCaller,
    @Query() query: ListActiveElevationsQuery,
  ): Promise<ActiveElevationsResponse> {
    return this.listActiveElevations.execute(caller, query);
  }
}
