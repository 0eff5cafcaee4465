import type { UserCaller } from '@gatehouse/contracts-core';
import {
  CreateProviderDto,
  EnforcementPreviewResponse,
  PresetListResponse,
  ProviderResponse,
  ProviderListResponse,
  ProviderTestResponse,
  SetEnforcementDto,
  SetProviderStatusDto,
  SuccessResponse,
  UpdateProviderDto,
} from '@gatehouse/contracts-identity';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { EXAMPLES, PRESETS } from '@gatehouse/identity-domain';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { AnswersEtag, ApiIfMatch, ApiProblems, UuidParam, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiQuery, ApiTags } from '@nestjs/swagger';
import { SsoProvidersService } from './sso-providers.service.ts';
import { CreateProvider, SETTINGS_PROBLEMS } from './create-provider.ts';
import { ListProviders, ListProvidersQuery } from './list-providers.ts';
import { EnforcementService } from './enforcement.service.ts';
import { UPDATE_PROBLEMS, UpdateProvider } from './update-provider.ts';
import { MAY_CHANGE_PROBLEMS, OWNER_PROBLEMS } from './settings/provider-owner.ts';

const WRITES = 'organizations:write';
/** What a change of a provider is refused with. */
const PROVIDER_PROBLEMS = ['sso_provider_not_found', ...MAY_CHANGE_PROBLEMS, 'version_conflict'] as const;
const versionOf = ({ data }: ProviderResponse): number => data.version;

@ApiTags('sso providers')
@Controller('sso')
export class SsoPresetsController {
  /**
   * Lists the presets for identity providers. A preset contains the scopes, the attribute mapping and the set-up steps
   * of a well-known provider; `examples` are steps for others.
   */
  @Get('presets')
  @Requires(null)
  @ApiOkResponse({ type: PresetListResponse })
  presets(): PresetListResponse {
    return { data: [...PRESETS], examples: [...EXAMPLES] };
  }
}

@ApiTags('sso providers')
@Controller('sso/providers')
export class SsoProvidersController {
  constructor(
    private readonly listProviders: ListProviders,
    private readonly ssoProviders: SsoProvidersService,
    private readonly createProvider: CreateProvider,
    private readonly updateProvider: UpdateProvider,
  ) {}

  /** Lists the identity providers of an owner: an organisation, or the partner. */
  @Get()
  @Requires(null)
  @ApiOkResponse({ type: ProviderListResponse })
  @ApiProblems('scope_denied')
  async list(@CurrentCaller() caller: UserCaller, @Query() query: ListProvidersQuery): Promise<ProviderListResponse> {
    return { data: await this.listProviders.list(caller, query) };
  }

  /** Reads an identity provider. The response never contains its client secret. */
  @Get(':id')
  @Requires(null)
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: ProviderResponse, ...WITH_ETAG })
  @ApiProblems('sso_provider_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<ProviderResponse> {
    return { data: await this.ssoProviders.get(caller, id) };
  }

  /**
   * Creates an identity provider. It starts inactive. For OpenID Connect the endpoints are discovered from the issuer;
   * if discovery fails, the response contains a warning.
   */
  @Post()
  @Requires(WRITES, { mfa: true, audit: 'sso.provider.create' })
  @AnswersEtag(versionOf)
  @ApiCreatedResponse({ type: ProviderResponse, ...WITH_ETAG })
  @ApiProblems(...OWNER_PROBLEMS, ...SETTINGS_PROBLEMS)
  async create(@CurrentCaller() caller: UserCaller, @Body() body: CreateProviderDto): Promise<ProviderResponse> {
    return { data: await this.createProvider.create(caller, body) };
  }

  /**
   * Changes an identity provider. A different type, issuer or entity id unlinks all accounts; a different secret,
   * certificate or endpoint does not. A different `subjectClaim` does too, and a different client at Microsoft Entra
   * ID: `confirmRelink` must then be the number of links that end.
   */
  @Patch(':id')
  @Requires(WRITES, { mfa: true, audit: 'sso.provider.update' })
  @ApiIfMatch()
  @ApiQuery({ name: 'force', required: false, enum: ['true'], description: 'Turn enforceSSO on untested' })
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: ProviderResponse, ...WITH_ETAG })
  @ApiProblems(...PROVIDER_PROBLEMS, ...UPDATE_PROBLEMS, 'sso_enforcement_untested')
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() body: UpdateProviderDto,
    @Query('force') force?: string,
  ): Promise<ProviderResponse> {
    return { data: await this.updateProvider.update(caller, { id, body, force: force === 'true' }) };
  }

  /** Deletes an identity provider. Sessions that it opened end within five seconds. */
  @Delete(':id')
  @Requires(WRITES, { mfa: true, audit: 'sso.provider.delete' })
  @ApiIfMatch()
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(...PROVIDER_PROBLEMS)
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    return this.ssoProviders.delete(caller, id);
  }
}

@ApiTags('sso providers')
@Controller('sso/providers/:id')
export class SsoProviderActionsController {
  constructor(
    private readonly ssoProviders: SsoProvidersService,
    private readonly enforcement: EnforcementService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /**
   * Activates or deactivates an identity provider. If it is enforced, a user must have signed in with its current
   * configuration, or `force=true` is required.
   */
  @Post('status')
  @HttpCode(200)
  @Requires(WRITES, { mfa: true, audit: 'sso.provider.status.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: ProviderResponse, ...WITH_ETAG })
  @ApiQuery({ name: 'force', required: false, enum: ['true'], description: 'Enforce without a successful test' })
  @ApiProblems(...PROVIDER_PROBLEMS, 'role_not_grantable', 'sso_provider_incomplete', 'sso_enforcement_untested')
  async setStatus(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { status }: SetProviderStatusDto,
    @Query('force') force?: string,
  ): Promise<ProviderResponse> {
    return { data: await this.ssoProviders.setProviderStatus(caller, { id, status, force: force === 'true' }) };
  }

  /**
   * Creates a key with which a SAML provider can encrypt assertions. Its certificate is in the response and in the
   * metadata at `/sso/saml/metadata?provider=`. The previous key still decrypts, so that the provider can be given the
   * new one.
   */
  @Post('encryption-key')
  @Requires(WRITES, { mfa: true, audit: 'sso.provider.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiCreatedResponse({ type: ProviderResponse, ...WITH_ETAG })
  @ApiProblems(...PROVIDER_PROBLEMS, 'sso_protocol_mismatch')
  async renewEncryptionKey(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<ProviderResponse> {
    return { data: await this.ssoProviders.renewEncryptionKey(caller, id) };
  }

  /** Checks the configuration of an identity provider, without signing a user in. */
  @Post('test')
  @HttpCode(200)
  @Requires(WRITES, { mfa: true, audit: 'sso.provider.test' })
  @ApiOkResponse({ type: ProviderTestResponse })
  @ApiProblems('site_access_denied', 'sso_provider_not_found', 'oidc_discovery_failed', 'saml_configuration_invalid')
  test(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<ProviderTestResponse> {
    return this.ssoProviders.test(caller, id);
  }

  /**
   * Shows the effect of enforcement. The response lists and counts the owner's users with the effect on each of them
   * once passwords are refused.
   */
  @Get('enforcement-preview')
  @Requires(WRITES, { audit: 'sso.enforcement.stage' })
  @ApiOkResponse({ type: EnforcementPreviewResponse })
  @ApiProblems('sso_provider_not_found', 'partner_access_denied', 'site_access_denied')
  preview(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
  ): Promise<EnforcementPreviewResponse> {
    return this.heavyCalls.during(caller.id, () => this.enforcement.preview(caller, id));
  }

  /**
   * Sets the stage of enforcement: `observe` records password sign-ins, `warn` announces a date, `enforce` refuses
   * passwords. For `warn` and `enforce`, a user must have signed in with the current configuration, or `force` is
   * required, and `confirmStuck` must be the number of users who would be locked out.
   */
  @Put('enforcement')
  @Requires(WRITES, { mfa: true, audit: 'sso.enforcement.stage' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: ProviderResponse, ...WITH_ETAG })
  @ApiProblems(
    ...PROVIDER_PROBLEMS,
    'role_not_grantable',
    'sso_provider_not_active',
    'sso_enforcement_untested',
    'people_would_be_stuck',
  )
  async enforce(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() body: SetEnforcementDto,
  ): Promise<ProviderResponse> {
    return { data: await this.enforcement.set(caller, id, body) };
  }
}
