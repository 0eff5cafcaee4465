import { type Caller, SAML_FORM_BODY_LIMIT_BYTES, Text } from '@gatehouse/contracts-core';
import { CurrentCaller, Public } from '@gatehouse/auth';
import { ApiProblems, ApiRateLimit, IgnoresUnknown } from '@gatehouse/service';
import { Body, Controller, Get, Header, Param, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LoginRefusedFilter } from '../login/browser/login-refused.filter.ts';
import type { LoginOwner } from '../login/attempts/login-sessions.repository.ts';
import { browserOf, ReturnToApp, SEE_OTHER, sendBrowser } from '../login/browser/return-to-app.ts';
import { StateCookies } from '../login/browser/state-cookies.ts';
import { SamlLoginService } from './saml-login.service.ts';
import { COMPLETE_PATH } from './saml-engine.ts';
import { ownerIn } from '../login/attempts/sso-login-attempts.service.ts';

class SamlResponseFormDto {
  @Text({ max: SAML_FORM_BODY_LIMIT_BYTES, optional: true }) SAMLResponse?: string;
  @Text({ max: SAML_FORM_BODY_LIMIT_BYTES, optional: true }) RelayState?: string;
}

/** The start of a SAML 2.0 sign-in: metadata, and the redirect to the provider (HTTP-Redirect binding). */
@ApiTags('sso sign-in')
@Controller('sso/saml')
@UseFilters(LoginRefusedFilter)
export class SamlStartController {
  constructor(
    private readonly samlLogin: SamlLoginService,
    private readonly stateCookies: StateCookies,
  ) {}

  /**
   * Publishes the metadata of this service provider, for the set-up of a SAML identity provider. `provider` adds our
   * certificate for the assertions that this provider encrypts, if there is one.
   */
  @Get('metadata')
  @IgnoresUnknown('protocols')
  @Public()
  @ApiQuery({ name: 'provider', required: false, description: 'The id of a SAML provider' })
  @ApiProblems('sso_provider_not_found')
  @Header('content-type', 'application/samlmetadata+xml; charset=utf-8')
  @ApiOkResponse({
    description: 'Service provider metadata',
    content: { 'application/samlmetadata+xml': { schema: { type: 'string' } } },
  })
  metadata(@CurrentCaller() caller: Caller, @Query('provider') provider?: unknown): Promise<string> {
    return this.samlLogin.metadata(caller, provider);
  }

  /** Sends the browser to the SAML identity provider of an organisation. For browsers, not for programs. */
  @Get('login/:orgId')
  @ApiRateLimit('ssoStart', 'client')
  @IgnoresUnknown('browsers')
  @Public()
  @ApiQuery({ name: 'redirect', required: false })
  @ApiResponse({ status: 302, description: 'To the identity provider' })
  @ApiProblems('sso_provider_not_found', 'sso_provider_incomplete', 'sso_protocol_mismatch')
  login(
    @CurrentCaller() caller: Caller,
    @Param('orgId') orgId: string,
    @Query('redirect') redirect: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendToProvider(caller, reply, { owner: ownerIn({ orgId }), redirect });
  }

  /** Sends the browser to the SAML identity provider of a partner. For browsers, not for programs. */
  @Get('login/partner/:partnerId')
  @ApiRateLimit('ssoStart', 'client')
  @IgnoresUnknown('browsers')
  @Public()
  @ApiQuery({ name: 'redirect', required: false })
  @ApiResponse({ status: 302, description: 'To the identity provider' })
  @ApiProblems('sso_provider_not_found', 'sso_provider_incomplete', 'sso_protocol_mismatch')
  loginForPartner(
    @CurrentCaller() caller: Caller,
    @Param('partnerId') partnerId: string,
    @Query('redirect') redirect: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendToProvider(caller, reply, { owner: ownerIn({ partnerId }), redirect });
  }

  private async sendToProvider(
    caller: Caller,
    reply: FastifyReply,
    input: { owner: LoginOwner; redirect: unknown },
  ): Promise<void> {
    const { location, state } = await this.samlLogin.start(caller, input);
    sendBrowser(reply, location, [this.stateCookies.issue(state, COMPLETE_PATH)]);
  }
}

/**
 * The return from the provider: first the form posted from the provider's site, without our cookie, then the browser's
 * own request, which carries it.
 */
@ApiTags('sso sign-in')
@Controller('sso/saml')
@UseFilters(LoginRefusedFilter)
export class SamlReturnController {
  constructor(
    private readonly samlLogin: SamlLoginService,
    private readonly returnToApp: ReturnToApp,
  ) {}

  /**
   * Receives the response that a SAML identity provider posts through the browser. It must respond to one of our
   * requests and is accepted once.
   */
  @Post('acs')
  @ApiRateLimit('samlResponses', 'sign-in attempt')
  @IgnoresUnknown('protocols')
  @Public()
  @ApiConsumes('application/x-www-form-urlencoded')
  @ApiResponse({ status: 303, description: 'To /sso/saml/complete, or to /login?error=…' })
  async acs(
    @CurrentCaller() caller: Caller,
    @Body() { SAMLResponse: samlResponse, RelayState: relayState }: SamlResponseFormDto,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const handle = await this.samlLogin.receiveSamlResponse(caller, { samlResponse, relayState });
    sendBrowser(reply, this.returnToApp.own(`${COMPLETE_PATH}?handle=${handle}`), [], SEE_OTHER);
  }

  /** Completes a SAML sign-in in the browser that started it. A failed sign-in redirects to `/login?error=…`. */
  @Get('complete')
  @IgnoresUnknown('browsers')
  @Public()
  @ApiQuery({ name: 'handle', required: false })
  @ApiResponse({ status: 302, description: 'To the page of ours that the sign-in began for, or to /login?error=…' })
  async complete(
    @CurrentCaller() caller: Caller,
    @Req() { headers }: FastifyRequest,
    @Query('handle') handle: unknown,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const browser = browserOf(headers.cookie);
    const result = await this.samlLogin.complete(caller, { handle, cookie: headers.cookie, browser });
    this.returnToApp.finish(reply, result, { callbackPath: COMPLETE_PATH, browser });
  }
}
