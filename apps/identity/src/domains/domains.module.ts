import { Uuid, type UserCaller } from '@gatehouse/contracts-core';
import { CreateDomainDto, DomainResponse, DomainListResponse, SuccessResponse } from '@gatehouse/contracts-identity';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { UnitOfWork } from '@gatehouse/database';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Module, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SsoProvidersModule } from '../sso-providers/sso-providers.module.ts';
import { CreateDomain, DeleteDomain, VerifyDomain } from './change-domains.ts';
import { DomainProof } from './domain-proof.ts';
import { DomainsRepository, domainView } from './domains.repository.ts';
import { RecheckDomains } from './recheck-domains.ts';

const WRITES = 'organizations:write';

class ListDomainsQuery {
  @Uuid({ optional: true }) orgId?: string;
}

@ApiTags('sso')
@Controller('sso/domains')
export class DomainsController {
  constructor(
    private readonly work: UnitOfWork,
    private readonly domains: DomainsRepository,
    private readonly creates: CreateDomain,
    private readonly verifies: VerifyDomain,
    private readonly removes: DeleteDomain,
  ) {}

  /** Lists the domains of an organisation, verified or not. */
  @Get()
  @Requires('organizations:read')
  @ApiOkResponse({ type: DomainListResponse })
  async list(@CurrentCaller() caller: UserCaller, @Query() { orgId }: ListDomainsQuery): Promise<DomainListResponse> {
    const rows = await this.work.read(caller, (reader) => this.domains.list(reader, caller.scope, orgId));
    return { data: rows.map(domainView) };
  }

  /** Adds a domain to an organisation. It is verified by the DNS record in the answer. */
  @Post()
  @Requires(WRITES, { mfa: true, audit: 'sso.domain.create' })
  @ApiCreatedResponse({ type: DomainResponse })
  @ApiProblems('org_required', 'site_access_denied', 'organization_not_found', 'organization_frozen', 'domain_taken')
  async create(@CurrentCaller() caller: UserCaller, @Body() body: CreateDomainDto): Promise<DomainResponse> {
    return { data: await this.creates.execute(caller, body) };
  }

  /** Verifies a domain by its DNS record. It is checked again each day and loses its standing after three misses. */
  @Post(':id/verify')
  @HttpCode(200)
  @Requires(WRITES, { mfa: true, audit: 'sso.domain.verify' })
  @ApiOkResponse({ type: DomainResponse })
  @ApiProblems('site_access_denied', 'sso_domain_not_found', 'organization_frozen', 'domain_not_verified')
  async verify(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DomainResponse> {
    return { data: await this.verifies.execute(caller, id) };
  }

  /** Removes a domain. */
  @Delete(':id')
  @Requires(WRITES, { mfa: true, audit: 'sso.domain.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('site_access_denied', 'sso_domain_not_found', 'organization_frozen')
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    return this.removes.execute(caller, id);
  }
}

@Module({
  imports: [SsoProvidersModule],
  controllers: [DomainsController],
  providers: [DomainsRepository, DomainProof, CreateDomain, VerifyDomain, DeleteDomain, RecheckDomains],
  exports: [RecheckDomains],
})
export class DomainsModule {}
