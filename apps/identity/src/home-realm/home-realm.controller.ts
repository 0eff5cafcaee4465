import type { Caller } from '@gatehouse/contracts-core';
import { DiscoverSsoDto, LoginContextDto, SsoCheckDto, SsoDiscoveryDto } from '@gatehouse/contracts-identity';
import { CurrentCaller, Public } from '@gatehouse/auth';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CheckOrgSso } from './check-org-sso.ts';
import { DiscoverSso } from './discover-sso.ts';
import { ReadLoginContext } from './read-login-context.ts';

/** What the login page asks before anybody has signed in. */
@ApiTags('sso')
@Controller()
export class HomeRealmController {
  constructor(
    private readonly checks: CheckOrgSso,
    private readonly discoveries: DiscoverSso,
    private readonly contexts: ReadLoginContext,
  ) {}

  @Get('sso/check/:orgId')
  @Public()
  @ApiOkResponse({ type: SsoCheckDto })
  check(@CurrentCaller() caller: Caller, @Param('orgId') orgId: string): Promise<SsoCheckDto> {
    return this.checks.execute(caller, orgId);
  }

  @Post('auth/sso-discovery')
  @HttpCode(200)
  @Public()
  @ApiOkResponse({ type: SsoDiscoveryDto })
  discover(@CurrentCaller() caller: Caller, @Body() { email }: DiscoverSsoDto): Promise<SsoDiscoveryDto> {
    return this.discoveries.execute(caller, email);
  }

  @Get('auth/login-context')
  @Public()
  @ApiOkResponse({ type: LoginContextDto })
  context(@CurrentCaller() caller: Caller): Promise<LoginContextDto> {
    return this.contexts.execute(caller);
  }
}
