import { CurrentCaller, Public } from '@gatehouse/auth';
import type { Caller } from '@gatehouse/contracts-core';
import { ExchangeCodeDto, SsoTokensResponse } from '@gatehouse/contracts-identity';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, Header, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CookieSignIn } from '../../sessions/session-cookie/cookie-sign-in.ts';
import { SsoLoginService } from './sso-login.service.ts';
import { browserIn } from './browser/return-to-app.ts';

@ApiTags('sso sign-in')
@Controller('sso')
export class SsoExchangeController {
  constructor(
    private readonly ssoLogin: SsoLoginService,
    private readonly cookieSignIn: CookieSignIn,
  ) {}

  /** Exchanges the code of a completed single sign-on for tokens. The code can be used once, within two minutes. */
  @Post('exchange')
  @HttpCode(200)
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ type: SsoTokensResponse })
  @ApiProblems('exchange_code_invalid', 'origin_denied')
  exchange(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Body() { code, session }: ExchangeCodeDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SsoTokensResponse> {
    return this.cookieSignIn.cookie({ mode: session, request, reply }, () =>
      this.ssoLogin.exchangeCode(caller, { code, browser: browserIn(request.headers.cookie) }),
    );
  }
}
