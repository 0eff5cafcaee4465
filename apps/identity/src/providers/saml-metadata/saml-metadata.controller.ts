import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ReadSamlMetadataDto, SamlMetadataResponse } from '@gatehouse/contracts-identity';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SamlMetadataService } from './saml-metadata.service.ts';

@ApiTags('sso providers')
@Controller('sso/providers/metadata')
export class SamlMetadataController {
  constructor(
    private readonly samlMetadata: SamlMetadataService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /**
   * Reads the metadata of a SAML identity provider, from its address or from a text. The response contains what a
   * provider record requires, and warnings about its certificates. Nothing is saved.
   */
  @Post()
  @Requires('organizations:write', { audit: 'sso.provider.test' })
  @HttpCode(200)
  @ApiOkResponse({ type: SamlMetadataResponse })
  @ApiProblems('saml_metadata_invalid', 'saml_metadata_unreachable', 'site_access_denied', 'mfa_required')
  read(@CurrentCaller() caller: UserCaller, @Body() body: ReadSamlMetadataDto): Promise<SamlMetadataResponse> {
    return this.heavyCalls.during(caller.id, () => this.samlMetadata.read(caller, body));
  }
}
