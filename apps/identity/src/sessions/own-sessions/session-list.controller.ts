import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { DoneResponse, SessionListResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { OwnSessionsService } from './own-sessions.service.ts';

@ApiTags('sign-in')
@Controller('auth/sessions')
export class SessionListController {
  constructor(private readonly ownSessions: OwnSessionsService) {}

  /**
   * Lists the caller's live sessions, the newest first. A session that single sign-on opened sees only those in its own
   * membership.
   */
  @Get()
  @Requires(null, { evenIfPartnerInactive: true })
  @ApiOkResponse({ type: SessionListResponse })
  list(@CurrentCaller() caller: UserCaller): Promise<SessionListResponse> {
    return this.ownSessions.list(caller);
  }

  /** Ends one of the caller's sessions. Its tokens stop working within five seconds. */
  @Delete(':id')
  @Requires(null, { audit: 'session.revoke', evenIfPartnerInactive: true })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('session_not_found')
  end(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.ownSessions.end(caller, id);
  }
}
