import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { DoneResponse, SessionListResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Controller, Delete, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CHANGEABLE_USER_PROBLEMS } from '../memberships/memberships.service.ts';
import { UserSecurityService } from './user-security.service.ts';

@ApiTags('users')
@Controller('users')
export class UserSecurityController {
  constructor(private readonly userSecurity: UserSecurityService) {}

  /** Lists a user's active sessions in the memberships in the caller's reach, newest first. */
  @Get(':id/sessions')
  @Requires('users:read')
  @ApiOkResponse({ type: SessionListResponse })
  @ApiProblems('user_not_found')
  sessions(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SessionListResponse> {
    return this.userSecurity.listUserSessions(caller, id);
  }

  /** Signs a user out: ends their sessions in the memberships in the caller's reach. Their tokens stop working. */
  @Delete(':id/sessions')
  @Requires('users:write', { mfa: true, audit: 'session.revoke' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems(...CHANGEABLE_USER_PROBLEMS, 'conflict')
  endSessions(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.userSecurity.endUserSessions(caller, id);
  }

  /**
   * Removes all second factors of a user who has lost them. Their sessions end, and they set up a new factor at the
   * next sign-in.
   */
  @Delete(':id/mfa')
  @Requires('users:write', { mfa: true, audit: 'user.mfa.remove' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems(...CHANGEABLE_USER_PROBLEMS, 'factor_not_found', 'conflict')
  resetMfa(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.userSecurity.resetSecondFactor(caller, id);
  }
}
