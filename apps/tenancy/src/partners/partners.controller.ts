import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreatePartnerDto,
  PartnerFormatsResponse,
  PartnerQuery,
  PartnerResponse,
  SuccessResponse,
  UpdateOwnPartnerDto,
  UpdatePartnerDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiPaged } from '../scope/api-paged.ts';
import { ownPartnerOf, PartnersService, UpdateOwnPartner } from './partners.service.ts';

/** TEN-02: these routes are for system administrators; a partner reads and updates itself at `/me`. */
@Controller('orgs/partners')
@ApiTags('partners')
export class PartnersController {
  constructor(
    private readonly partners: PartnersService,
    private readonly updateOwnPartner: UpdateOwnPartner,
  ) {}

  /** Reads the caller's own partner. */
  @Get('me')
  @Requires(null, { levels: ['partner'] })
  @ApiOkResponse({ type: PartnerResponse })
  @ApiProblems('partner_context_required', 'partner_not_found')
  own(@CurrentCaller() caller: UserCaller): Promise<PartnerResponse> {
    return this.partners.get(caller, ownPartnerOf(caller));
  }

  /** Reads the date and time formats of the caller's partner, all that its organisations can read of its settings. */
  @Get('me/formats')
  @Requires(null, { levels: ['partner', 'organization'] })
  @ApiOkResponse({ type: PartnerFormatsResponse })
  @ApiProblems('partner_context_required', 'partner_not_found')
  formats(@CurrentCaller() caller: UserCaller): Promise<PartnerFormatsResponse> {
    return this.partners.formats(caller);
  }

  /** Changes the settings of the caller's own partner. */
  @Patch('me')
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'partner.settings.update' })
  @ApiOkResponse({ type: PartnerResponse })
  @ApiProblems('no_updates_provided', 'partner_context_required', 'org_access_denied', 'partner_not_found')
  updateOwn(@CurrentCaller() caller: UserCaller, @Body() patch: UpdateOwnPartnerDto): Promise<PartnerResponse> {
    return this.updateOwnPartner.update(caller, patch);
  }

  /** Lists all partners. */
  @Get()
  @Requires('organizations:read', { levels: ['system'] })
  @ApiPaged(PartnerResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: PartnerQuery) {
    return paged(query, await this.partners.list(caller, query));
  }

  /** Creates a partner. */
  @Post()
  @Requires('organizations:write', { levels: ['system'], audit: 'partner.create' })
  @ApiCreatedResponse({ type: PartnerResponse })
  @ApiProblems('slug_taken')
  create(@CurrentCaller() caller: UserCaller, @Body() draft: CreatePartnerDto): Promise<PartnerResponse> {
    return this.partners.create(caller, draft);
  }

  /** Reads a partner. */
  @Get(':id')
  @Requires('organizations:read', { levels: ['system'] })
  @ApiOkResponse({ type: PartnerResponse })
  @ApiProblems('partner_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<PartnerResponse> {
    return this.partners.get(caller, id);
  }

  /** Changes a partner. Callers of an inactive partner are refused everywhere except at sign-in. */
  @Patch(':id')
  @Requires('organizations:write', { levels: ['system'], audit: 'partner.update' })
  @ApiOkResponse({ type: PartnerResponse })
  @ApiProblems('no_updates_provided', 'mfa_required', 'partner_not_found', 'slug_taken')
  update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdatePartnerDto,
  ): Promise<PartnerResponse> {
    return this.partners.update(caller, id, patch);
  }

  /** Deletes a partner. Its record is kept, marked as deleted, for the audit. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('organizations:write', { levels: ['system'], mfa: true, audit: 'partner.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('partner_not_found')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.partners.delete(caller, id);
    return { success: true };
  }
}
