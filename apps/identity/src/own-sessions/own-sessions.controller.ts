import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import { DoneResponse, LogoutDto, MeResponse, RefreshDto, TokensResponse } from '@gatehouse/contracts-identity';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RefreshSession } from './refresh-session.ts';
import { SignOutEverywhere } from './sign-out-everywhere.ts';
import { SignOut } from './sign-out.ts';
import { GetMe } from './get-me.ts';

@ApiTags('sign-in')
@Controller('auth')
export class OwnSessionsController {
  constructor(
    private readonly refreshSession: RefreshSession,
    private readonly signOut: SignOut,
    private readonly signOutEverywhere: SignOutEverywhere,
    private readonly getMe: GetMe,
  ) {}

  /**
   * Renews a session. The refresh token is used up, and the answer has the next one. A token that is used a second
   * time, more than ten seconds later, ends the whole session, because one of its two users must be a thief.
   */
  @Post('refresh')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: TokensResponse })
  @ApiProblems('refresh_token_invalid')
  refresh(@CurrentCaller() caller: Caller, @Body() { refreshToken }: RefreshDto): Promise<TokensResponse> {
    return this.refreshSession.execute(caller, refreshToken);
  }

  /** Ends this session. Its tokens stop working within five seconds. */
  @Post('logout')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiBody({ type: LogoutDto, required: false })
  @ApiOkResponse({ type: DoneResponse })
  logout(@CurrentCaller() caller: UserCaller, @Body() _: LogoutDto): Promise<DoneResponse> {
    return this.signOut.execute(caller);
  }

  /** Ends every session of the caller, on all devices. */
  @Post('logout-all')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: DoneResponse })
  logoutAll(@CurrentCaller() caller: UserCaller): Promise<DoneResponse> {
    return this.signOutEverywhere.execute(caller);
  }

  /**
   * Says who is signed in, in which place of the hierarchy, with which permissions, and when the second factor was
   * proved.
   */
  @Get('me')
  @Requires(null, { evenIfPartnerInactive: true })
  @ApiOkResponse({ type: MeResponse })
  me(@CurrentCaller() caller: UserCaller): Promise<MeResponse> {
    return this.getMe.execute(caller);
  }
}
