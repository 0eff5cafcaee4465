import type { Caller } from '@gatehouse/contracts-core';
import {
  DiscoverSsoDto,
  LoginContextResponse,
  SsoCheckResponse,
  SsoDiscoveryResponse,
} from '@gatehouse/contracts-identity';
import { CurrentCaller, Public } from '@gatehouse/auth';
import { perClient, RateLimit, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { HomeRealmService } from './home-realm.service.ts';

/** The routes that the login page calls before sign-in. */
@ApiTags('sso sign-in')
@Controller()
export class HomeRealmController {
  constructor(private readonly homeRealm: HomeRealmService) {}

  /** Returns whether an organisation has single sign-on, for its sign-in page. */
  @Get('sso/check/:orgId')
  @Public()
  @ApiOkResponse({ type: SsoCheckResponse })
  check(@CurrentCaller() caller: Caller, @Param('orgId', UuidParam) orgId: string): Promise<SsoCheckResponse> {
    return this.homeRealm.checkOrgSso(caller, orgId);
  }

  /**
   * Finds the identity provider for an e-mail address by its domain. The response is the same for existing and
   * non-existing addresses of a domain.
   */
  @Post('auth/sso-discovery')
  @HttpCode(200)
  @Public()
  @RateLimit('discovery', perClient)
  @ApiOkResponse({ type: SsoDiscoveryResponse })
  discover(@CurrentCaller() caller: Caller, @Body() { email }: DiscoverSsoDto): Promise<SsoDiscoveryResponse> {
    return this.homeRealm.discoverSso(caller, email);
  }

  /** Returns what the sign-in page shows at first: branding and the partner's sign-in button. */
  @Get('auth/login-context')
  @Public()
  @RateLimit('loginContext', perClient)
  @ApiOkResponse({ type: LoginContextResponse })
  context(@CurrentCaller() caller: Caller): Promise<LoginContextResponse> {
    return this.homeRealm.getLoginContext(caller);
  }
}
