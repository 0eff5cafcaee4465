import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { AttemptPageResponse, AttemptResponse, ListAttemptsQuery } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AttemptsService } from './attempts.service.ts';

@ApiTags('sso attempts')
@Controller('sso/attempts')
export class AttemptsController {
  constructor(private readonly attempts: AttemptsService) {}

  /** Lists the sign-ins through identity providers in the caller's reach, newest first. */
  @Get()
  @Requires('users:read')
  @ApiOkResponse({ type: AttemptPageResponse })
  @ApiProblems('scope_denied')
  list(@CurrentCaller() caller: UserCaller, @Query() query: ListAttemptsQuery): Promise<AttemptPageResponse> {
    return this.attempts.list(caller, query);
  }

  /** Reads a sign-in through an identity provider with its steps. Its id is the reference shown on the sign-in page. */
  @Get(':id')
  @Requires('users:read')
  @ApiOkResponse({ type: AttemptResponse })
  @ApiProblems('sso_attempt_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<AttemptResponse> {
    return this.attempts.get(caller, id);
  }
}
