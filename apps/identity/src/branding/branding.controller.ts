import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { LoginBrandingDto, LoginBrandingResponse } from '@gatehouse/contracts-identity';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { GetLoginBranding } from './get-login-branding.ts';
import { ReplaceLoginBranding } from './replace-login-branding.ts';

@ApiTags('branding')
@Controller('partners/me/login-branding')
export class BrandingController {
  constructor(
    private readonly getLoginBranding: GetLoginBranding,
    private readonly replaceLoginBranding: ReplaceLoginBranding,
  ) {}

  /** Reads the partner's branding of the login page. */
  @Get()
  @Requires(null, { levels: ['partner'] })
  @ApiOkResponse({ type: LoginBrandingResponse })
  async get(@CurrentCaller() caller: UserCaller): Promise<LoginBrandingResponse> {
    return { data: await this.getLoginBranding.execute(caller) };
  }

  /** Replaces the partner's branding of the login page as a whole. A member that is left out is cleared. */
  @Put()
  @Requires(null, { levels: ['partner'], audit: 'partner.login_branding.update' })
  @ApiOkResponse({ type: LoginBrandingResponse })
  async put(@CurrentCaller() caller: UserCaller, @Body() body: LoginBrandingDto): Promise<LoginBrandingResponse> {
    return { data: await this.replaceLoginBranding.execute(caller, body) };
  }
}
