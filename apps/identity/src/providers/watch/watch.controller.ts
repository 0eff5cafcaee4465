import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  ExpiryListResponse,
  ListExpiriesQuery,
  MetadataChangeListResponse,
  MetadataChangeResponse,
  MetadataRefreshResponse,
  SsoSettingsDto,
  SsoSettingsQuery,
  SsoSettingsResponse,
} from '@gatehouse/contracts-identity';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ExpiriesService } from './expiries.service.ts';
import { MetadataChangesService } from './metadata-changes.service.ts';
import { MetadataWatch } from './metadata-watch.ts';
import { MAY_CHANGE_PROBLEMS, NAMED_OWNER_PROBLEMS, OWNER_PROBLEMS } from '../configuration/settings/provider-owner.ts';

const READS = 'organizations:read';
const WRITES = 'organizations:write';
const CHANGE_PROBLEMS = ['metadata_change_not_found', 'metadata_change_settled', ...MAY_CHANGE_PROBLEMS] as const;

@ApiTags('sso watch')
@Controller('sso')
export class WatchController {
  constructor(
    private readonly metadataWatch: MetadataWatch,
    private readonly metadataChanges: MetadataChangesService,
    private readonly expiries: ExpiriesService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /**
   * Reads the metadata of a SAML provider now, as the regular check does. A next certificate is added if that is safe;
   * every other difference awaits approval.
   */
  @Post('providers/:id/metadata/refresh')
  @HttpCode(200)
  @Requires(WRITES, { mfa: true, audit: 'sso.provider.metadata_change.detect' })
  @ApiOkResponse({ type: MetadataRefreshResponse })
  @ApiProblems(...MAY_CHANGE_PROBLEMS, 'sso_provider_not_found', 'saml_metadata_invalid', 'saml_metadata_unreachable')
  refresh(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<MetadataRefreshResponse> {
    return this.heavyCalls.during(caller.id, () => this.metadataWatch.refresh(caller, id));
  }

  /** Lists the differences found between a provider's metadata and its settings, newest first. */
  @Get('providers/:id/metadata-changes')
  @Requires(READS)
  @ApiOkResponse({ type: MetadataChangeListResponse })
  @ApiProblems('sso_provider_not_found')
  list(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<MetadataChangeListResponse> {
    return this.metadataChanges.list(caller, id);
  }

  /**
   * Applies a metadata change that awaits approval. It requires the permissions of any change of a provider's trust.
   */
  @Post('metadata-changes/:id/apply')
  @HttpCode(200)
  @Requires(WRITES, { mfa: true, audit: 'sso.provider.metadata_change.apply' })
  @ApiOkResponse({ type: MetadataChangeResponse })
  @ApiProblems(...CHANGE_PROBLEMS, 'role_not_grantable', 'sso_enforcement_untested', 'conflict', 'version_conflict')
  apply(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<MetadataChangeResponse> {
    return this.metadataChanges.apply(caller, id);
  }

  /**
   * Dismisses a metadata change, which is not suggested again. One that was applied automatically is undone: the
   * certificate that it added is no longer trusted. One that it removed is trusted again, which requires the
   * permissions of any change of a provider's trust.
   */
  @Post('metadata-changes/:id/dismiss')
  @HttpCode(200)
  @Requires(WRITES, { mfa: true, audit: 'sso.provider.metadata_change.dismiss' })
  @ApiOkResponse({ type: MetadataChangeResponse })
  @ApiProblems(...CHANGE_PROBLEMS, 'role_not_grantable', 'conflict')
  dismiss(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<MetadataChangeResponse> {
    return this.metadataChanges.dismiss(caller, id);
  }

  /** Lists certificates and client secrets of identity providers that expire soon or have expired. */
  @Get('expiries')
  @Requires(READS)
  @ApiOkResponse({ type: ExpiryListResponse })
  expiring(@CurrentCaller() caller: UserCaller, @Query() query: ListExpiriesQuery): Promise<ExpiryListResponse> {
    return this.expiries.list(caller, query);
  }

  /** Reads how administrators of an organisation or the partner are alerted about identity providers. */
  @Get('settings')
  @Requires(READS)
  @ApiOkResponse({ type: SsoSettingsResponse })
  @ApiProblems(...NAMED_OWNER_PROBLEMS)
  settings(@CurrentCaller() caller: UserCaller, @Query() query: SsoSettingsQuery): Promise<SsoSettingsResponse> {
    return this.expiries.getSettings(caller, query);
  }

  /** Sets how administrators of an organisation or the partner are alerted about identity providers. */
  @Put('settings')
  @Requires(WRITES, { mfa: true, audit: 'sso.settings.update' })
  @ApiOkResponse({ type: SsoSettingsResponse })
  @ApiProblems(...OWNER_PROBLEMS)
  setSettings(
    @CurrentCaller() caller: UserCaller,
    @Query() query: SsoSettingsQuery,
    @Body() body: SsoSettingsDto,
  ): Promise<SsoSettingsResponse> {
    return this.expiries.setSettings(caller, query, body);
  }
}
