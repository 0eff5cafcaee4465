import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { LoginBrandingResponse, ReplaceLoginBrandingDto } from '@gatehouse/contracts-identity';
import { AnswersEtag, ApiIfMatch, ApiProblems, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { BrandingService } from './branding.service.ts';

/** Branding that was never set has version 0. */
const versionOf = ({ data }: LoginBrandingResponse): number => data?.version ?? 0;

@ApiTags('branding')
@Controller('partners/me/login-branding')
export class BrandingController {
  constructor(private readonly branding: BrandingService) {}

  /** Reads the partner's branding of the sign-in page. */
  @Get()
  @Requires(null, { levels: ['partner'] })
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: LoginBrandingResponse, ...WITH_ETAG })
  async get(@CurrentCaller() caller: UserCaller): Promise<LoginBrandingResponse> {
    return { data: await this.branding.getLoginBranding(caller) };
  }

  /** Replaces the partner's branding of the sign-in page as a whole. Omitted members are cleared. */
  @Put()
  @Requires(null, { levels: ['partner'], audit: 'partner.login_branding.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: LoginBrandingResponse, ...WITH_ETAG })
  @ApiProblems('permission_denied', 'version_conflict')
  async put(
    @CurrentCaller() caller: UserCaller,
    @Body() body: ReplaceLoginBrandingDto,
  ): Promise<LoginBrandingResponse> {
    return { data: await this.branding.replaceLoginBranding(caller, body) };
  }
}
