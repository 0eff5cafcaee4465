import type { UserCaller } from '@gatehouse/contracts-core';
import { LoginBrandingResponse, LoginBrandingDto } from '@gatehouse/contracts-identity';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { Body, Controller, Get, Module, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ReadBranding, ReplaceBranding } from './branding.ts';

@ApiTags('branding')
@Controller('partners/me/login-branding')
export class BrandingController {
  constructor(
    private readonly reads: ReadBranding,
    private readonly replaces: ReplaceBranding,
  ) {}

  /** Reads the partner's branding of the login page. */
  @Get()
  @Requires(null, { levels: ['partner'] })
  @ApiOkResponse({ type: LoginBrandingResponse })
  async get(@CurrentCaller() caller: UserCaller): Promise<LoginBrandingResponse> {
    return { data: await this.reads.execute(caller) };
  }

  /** Replaces the partner's branding of the login page as a whole. A member that is left out is cleared. */
  @Put()
  @Requires(null, { levels: ['partner'], audit: 'partner.login_branding.update' })
  @ApiOkResponse({ type: LoginBrandingResponse })
  async put(@CurrentCaller() caller: UserCaller, @Body() body: LoginBrandingDto): Promise<LoginBrandingResponse> {
    return { data: await this.replaces.execute(caller, body) };
  }
}

@Module({ controllers: [BrandingController], providers: [ReadBranding, ReplaceBranding] })
export class BrandingModule {}
