import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { CreateDomainDto, DomainListResponse, DomainResponse, SuccessResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { DomainsService, ListDomainsQuery } from './domains.service.ts';

const WRITES = 'organizations:write';

@ApiTags('sso domains')
@Controller('sso/domains')
export class DomainsController {
  constructor(private readonly domains: DomainsService) {}

  /** Lists the domains of an organisation, verified or not. */
  @Get()
  @Requires('organizations:read')
  @ApiOkResponse({ type: DomainListResponse })
  async list(@CurrentCaller() caller: UserCaller, @Query() query: ListDomainsQuery): Promise<DomainListResponse> {
    return { data: await this.domains.list(caller, query) };
  }

  /** Adds a domain to an organisation. It is verified by the DNS record in the response. */
  @Post()
  @Requires(WRITES, { mfa: true, audit: 'sso.domain.create' })
  @ApiCreatedResponse({ type: DomainResponse })
  @ApiProblems('org_required', 'site_access_denied', 'organization_not_found', 'organization_frozen', 'domain_taken')
  async create(@CurrentCaller() caller: UserCaller, @Body() body: CreateDomainDto): Promise<DomainResponse> {
    return { data: await this.domains.create(caller, body) };
  }

  /** Verifies a domain by its DNS record. It is checked daily and is no longer verified after three failed checks. */
  @Post(':id/verify')
  @HttpCode(200)
  @Requires(WRITES, { mfa: true, audit: 'sso.domain.verify' })
  @ApiOkResponse({ type: DomainResponse })
  @ApiProblems('site_access_denied', 'sso_domain_not_found', 'organization_frozen', 'domain_not_verified')
  async verify(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DomainResponse> {
    return { data: await this.domains.verify(caller, id) };
  }

  /** Removes a domain. */
  @Delete(':id')
  @Requires(WRITES, { mfa: true, audit: 'sso.domain.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('site_access_denied', 'sso_domain_not_found', 'organization_frozen')
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    return this.domains.delete(caller, id);
  }
}
