import type { Caller } from '@gatehouse/contracts-core';
import { ExchangeCodeDto, SsoTokensResponse } from '@gatehouse/contracts-identity';
import { CurrentCaller, Public } from '@gatehouse/auth';
import { IgnoresUnknown, ApiProblems } from '@gatehouse/service';
import { Body, Controller, Get, Header, HttpCode, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { browserIn, browserOf } from './browser/browser-cookie.ts';
import { CompleteSsoLogin } from './complete-sso-login.ts';
import { ExchangeCode } from './exchange-code.ts';
import { LoginRefusedFilter } from './browser/login-refused.filter.ts';
import { OidcCallbackGuard, type OidcRequest, OidcStartGuard } from './oidc.guards.ts';
import { CALLBACK_PATH, type OidcOutcome } from './oidc.strategy.ts';
import { ReturnToApp } from './browser/return-to-app.ts';
import { sendBrowser } from './browser/send-browser.ts';
import { StateCookies } from './browser/state-cookies.ts';

const locationIn = (outcome: OidcOutcome | undefined): string => {
  if (outcome && 'location' in outcome) return outcome.location;
  throw new Error('the strategy returned no address');
};

/** Handles the cookies and redirects of the OpenID Connect round trip. */
@ApiTags('sso')
@Controller('sso')
@UseFilters(LoginRefusedFilter)
export class SsoLoginController {
  constructor(
    private readonly complete: CompleteSsoLogin,
    private readonly cookies: StateCookies,
    private readonly back: ReturnToApp,
  ) {}

  /**
   * Sends the browser to the identity provider of an organisation (OpenID Connect). For browsers, not for programs: the
   * way back leads to `/login` with a code that `POST /sso/exchange` takes.
   */
  @Get('login/:orgId')
  @IgnoresUnknown('browsers')
  @Public()
  @UseGuards(OidcStartGuard)
  @ApiParam({ name: 'orgId', format: 'uuid' })
  @ApiQuery({ name: 'redirect', required: false, description: 'A path on our host to return to' })
  @ApiResponse({ status: 302, description: 'To the identity provider' })
  @ApiProblems('sso_provider_not_found', 'sso_provider_incomplete', 'sso_protocol_mismatch')
  start(@Req() request: OidcRequest, @Res() reply: FastifyReply): void {
    this.sendToProvider(request, reply);
  }

  /** Sends the browser to the identity provider of a partner (OpenID Connect). For browsers, not for programs. */
  @Get('login/partner/:partnerId')
  @IgnoresUnknown('browsers')
  @Public()
  @UseGuards(OidcStartGuard)
  @ApiParam({ name: 'partnerId', format: 'uuid' })
  @ApiQuery({ name: 'redirect', required: false, description: 'A path on our host to return to' })
  @ApiResponse({ status: 302, description: 'To the identity provider' })
  @ApiProblems('sso_provider_not_found', 'sso_provider_incomplete', 'sso_protocol_mismatch')
  startForPartner(@Req() request: OidcRequest, @Res() reply: FastifyReply): void {
    this.sendToProvider(request, reply);
  }

  /** Takes the browser back from an OpenID Connect provider. A sign-in that failed leads to `/login?error=…`. */
  @Get('callback')
  @IgnoresUnknown('protocols')
  @Public()
  @UseGuards(OidcCallbackGuard)
  @ApiQuery({ name: 'code', required: false })
  @ApiQuery({ name: 'state', required: false })
  @ApiResponse({ status: 302, description: 'To the page of ours that the sign-in began for, or to /login?error=…' })
  async callback(
    @CurrentCaller() caller: Caller,
    @Req() { oidcRound: round, user: signIn, headers }: OidcRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (round?.kind !== 'callback' || !signIn || 'location' in signIn)
      throw new Error('the callback ran without its guard');
    const browser = browserOf(headers.cookie);
    const result = await this.complete.execute(caller, { attempt: round.attempt, signIn, browser });
    this.back.finish(reply, result, { callbackPath: CALLBACK_PATH, browser });
  }

  private sendToProvider({ oidcRound: round, user }: OidcRequest, reply: FastifyReply): void {
    if (round?.kind !== 'start') throw new Error('the login ran without its guard');
    sendBrowser(reply, locationIn(user), [this.cookies.issue(round.login.state, CALLBACK_PATH)]);
  }
}

@ApiTags('sso')
@Controller('sso')
export class SsoExchangeController {
  constructor(private readonly exchanges: ExchangeCode) {}

  /** Exchanges the code of a completed single sign-on for tokens. The code works once, for two minutes. */
  @Post('exchange')
  @HttpCode(200)
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ type: SsoTokensResponse })
  @ApiProblems('exchange_code_invalid')
  exchange(
    @CurrentCaller() caller: Caller,
    @Req() { headers }: FastifyRequest,
    @Body() { code }: ExchangeCodeDto,
  ): Promise<SsoTokensResponse> {
    return this.exchanges.execute(caller, { code, browser: browserIn(headers.cookie) });
  }
}
