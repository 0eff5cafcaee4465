import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import { Done, LogoutInput, Me, RefreshInput, Tokens } from '@gatehouse/contracts-identity';
import { Refuses } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RefreshSession } from './refresh-session.ts';
import { SignOut } from './sign-out.ts';
import { WhoAmI } from './who-am-i.ts';

@ApiTags('sign-in')
@Controller('auth')
export class SessionsController {
  constructor(
    private readonly refreshSession: RefreshSession,
    private readonly signOut: SignOut,
    private readonly whoAmI: WhoAmI,
  ) {}

  @Post('refresh')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: Tokens })
  @Refuses('refresh_token_invalid')
  refresh(@CurrentCaller() caller: Caller, @Body() { refreshToken }: RefreshInput): Promise<Tokens> {
    return this.refreshSession.execute(caller, refreshToken);
  }

  @Post('logout')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiBody({ type: LogoutInput, required: false })
  @ApiOkResponse({ type: Done })
  logout(@CurrentCaller() caller: UserCaller, @Body() _: LogoutInput): Promise<Done> {
    return this.signOut.execute(caller);
  }

  @Post('logout-all')
  @Requires(null, { evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: Done })
  logoutAll(@CurrentCaller() caller: UserCaller): Promise<Done> {
    return this.signOut.everywhere(caller);
  }

  @Get('me')
  @Requires(null, { evenIfPartnerInactive: true })
  @ApiOkResponse({ type: Me })
  me(@CurrentCaller() caller: UserCaller): Promise<Me> {
    return this.whoAmI.execute(caller);
  }
}
