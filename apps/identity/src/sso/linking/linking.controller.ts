import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import {
  ConfirmLinkDto,
  LinkOptionsResponse,
  LinkStartedResponse,
  SsoTokensResponse,
  SuccessResponse,
} from '@gatehouse/contracts-identity';
import { CurrentCaller, Public, Requires } from '@gatehouse/auth';
import { ApiProblems, ApiRateLimit, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CookieSignIn } from '../../sessions/session-cookie/cookie-sign-in.ts';
import { StateCookies } from '../login/browser/state-cookies.ts';
import { ConfirmParkedLink } from './confirm-parked-link.ts';
import { LinkingService } from './linking.service.ts';
import { StartLinking } from './start-linking.ts';
import { parkedLinkCookie, parkedLinkIn } from '../login/browser/return-to-app.ts';

@ApiTags('linked accounts')
@Controller('sso/link')
export class LinkingController {
  constructor(
    private readonly linking: LinkingService,
    private readonly startLinking: StartLinking,
    private readonly confirmParkedLink: ConfirmParkedLink,
    private readonly stateCookies: StateCookies,
    private readonly cookieSignIn: CookieSignIn,
  ) {}

  /** Lists the identity providers that the caller has linked or can link. */
  @Get('options')
  @Requires(null)
  @ApiOkResponse({ type: LinkOptionsResponse })
  async options(@CurrentCaller() caller: UserCaller): Promise<LinkOptionsResponse> {
    return { data: await this.linking.listLinkOptions(caller) };
  }

  /** Starts to link the caller's account to an identity provider. Send the browser to `authUrl`. */
  @Post('start/:providerId')
  @ApiRateLimit('ssoStart', 'client')
  @HttpCode(200)
  @Requires(null, { mfa: true, audit: 'sso.identity.link' })
  @ApiOkResponse({ type: LinkStartedResponse })
  @ApiProblems('sso_provider_not_found', 'sso_provider_incomplete', 'idempotency_secret_shown')
  async start(
    @CurrentCaller() caller: UserCaller,
    @Param('providerId', UuidParam) providerId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LinkStartedResponse> {
    const { authUrl, state, callbackPath } = await this.startLinking.start(caller, providerId);
    reply.header('set-cookie', this.stateCookies.issue(state, callbackPath)).header('cache-control', 'no-store');
    return { authUrl };
  }

  /**
   * Links an identity to an existing account after its owner has confirmed the account. The offer is in a cookie set by
   * the sign-in; the owner confirms with the account's password, and its second factor if it has one.
   */
  @Post('confirm')
  @HttpCode(200)
  @Public()
  @ApiOkResponse({ type: SsoTokensResponse })
  @ApiProblems('link_confirmation_invalid', 'invalid_credentials', 'mfa_required', 'rate_limited', 'origin_denied')
  async confirm(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Body() body: ConfirmLinkDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SsoTokensResponse> {
    const token = parkedLinkIn(request.headers.cookie);
    const tokens = await this.cookieSignIn.cookie({ mode: body.session, request, reply }, () =>
      this.confirmParkedLink.confirmParkedLink(caller, { token, body }),
    );
    reply.header('set-cookie', parkedLinkCookie('', this.stateCookies.secure)).header('cache-control', 'no-store');
    return tokens;
  }

  /** Removes the link between the caller's account and an identity provider. */
  @Delete(':providerId')
  @Requires(null, { mfa: true, audit: 'sso.identity.unlink' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('sso_link_not_found')
  unlink(
    @CurrentCaller() caller: UserCaller,
    @Param('providerId', UuidParam) providerId: string,
  ): Promise<SuccessResponse> {
    return this.linking.deleteOwnLink(caller, providerId);
  }
}
