import type { Caller } from '@gatehouse/contracts-core';
import { CurrentCaller, Public } from '@gatehouse/auth';
import { ApiProblems, ApiRateLimit, IgnoresUnknown } from '@gatehouse/service';
import { Controller, Get, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LoginRefusedFilter } from './browser/login-refused.filter.ts';
import { SsoLoginOidcService } from './oidc/sso-login-oidc.service.ts';
import { OpenIdGuard, type OpenIdRequest } from './oidc/openid.guard.ts';
import { browserOf, ReturnToApp, sendBrowser } from './browser/return-to-app.ts';
import { StateCookies } from './browser/state-cookies.ts';
import { CALLBACK_PATH } from './oidc/authorization-url.ts';

type CallbackQuery = Readonly<Record<string, unknown>>;

/** Handles the cookies and redirects of the OpenID Connect round trip. */
@ApiTags('sso sign-in')
@Controller('sso')
@UseFilters(LoginRefusedFilter)
export class SsoLoginController {
  constructor(
    private readonly ssoLoginOidc: SsoLoginOidcService,
    private readonly stateCookies: StateCookies,
    private readonly returnToApp: ReturnToApp,
  ) {}

  /**
   * Sends the browser to the identity provider of an organisation (OpenID Connect). For browsers, not for programs:
   * afterwards the browser is sent to `/login` with a code for `POST /sso/exchange`.
   */
  @Get('login/:orgId')
  @UseGuards(OpenIdGuard)
  @ApiRateLimit('ssoStart', 'client')
  @IgnoresUnknown('browsers')
  @Public()
  @ApiParam({ name: 'orgId', format: 'uuid' })
  @ApiQuery({ name: 'redirect', required: false, description: 'A path on our host to return to' })
  @ApiResponse({ status: 302, description: 'To the identity provider' })
  @ApiProblems('sso_provider_not_found', 'sso_provider_incomplete', 'sso_protocol_mismatch')
  start(@Req() request: OpenIdRequest, @Res() reply: FastifyReply): void {
    this.sendToProvider(request, reply);
  }

  /** Sends the browser to the identity provider of a partner (OpenID Connect). For browsers, not for programs. */
  @Get('login/partner/:partnerId')
  @UseGuards(OpenIdGuard)
  @ApiRateLimit('ssoStart', 'client')
  @IgnoresUnknown('browsers')
  @Public()
  @ApiParam({ name: 'partnerId', format: 'uuid' })
  @ApiQuery({ name: 'redirect', required: false, description: 'A path on our host to return to' })
  @ApiResponse({ status: 302, description: 'To the identity provider' })
  @ApiProblems('sso_provider_not_found', 'sso_provider_incomplete', 'sso_protocol_mismatch')
  startForPartner(@Req() request: OpenIdRequest, @Res() reply: FastifyReply): void {
    this.sendToProvider(request, reply);
  }

  /** Receives the browser from an OpenID Connect provider. A failed sign-in redirects to `/login?error=…`. */
  @Get('callback')
  @IgnoresUnknown('protocols')
  @Public()
  @ApiQuery({ name: 'code', required: false })
  @ApiQuery({ name: 'state', required: false })
  @ApiResponse({ status: 302, description: 'To the page of ours that the sign-in began for, or to /login?error=…' })
  async callback(
    @CurrentCaller() caller: Caller,
    @Req() { query, headers: { cookie } }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const browser = browserOf(cookie);
    const result = await this.ssoLoginOidc.completeOidcLogin(caller, {
      query: query as CallbackQuery,
      cookie,
      browser,
    });
    this.returnToApp.finish(reply, result, { callbackPath: CALLBACK_PATH, browser });
  }

  private sendToProvider({ user }: OpenIdRequest, reply: FastifyReply): void {
    if (!user) throw new Error('the route lacks its OpenIdGuard');
    sendBrowser(reply, user.location, [this.stateCookies.issue(user.state, CALLBACK_PATH)]);
  }
}
