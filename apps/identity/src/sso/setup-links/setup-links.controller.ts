import { CurrentCaller, Public, Requires, SetupRoute } from '@gatehouse/auth';
import { type AnonymousCaller, Choice, type UserCaller, Uuid } from '@gatehouse/contracts-core';
import {
  CompleteSetupDto,
  CreateSetupLinkDto,
  DomainResponse,
  NewSetupLinkResponse,
  OpenSetupVisitDto,
  OWNER_SCOPES,
  type OwnerScope,
  ReadSamlMetadataDto,
  SamlMetadataResponse,
  SetUpDomainDto,
  SetupLinkListResponse,
  SetupLinkResponse,
  SetUpProviderDto,
  SetupViewResponse,
  SetupVisitResponse,
  SuccessResponse,
  TestSignInResponse,
  TestSignInStartedResponse,
} from '@gatehouse/contracts-identity';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, ApiRateLimit, perClient, RateLimit, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { StateCookies } from '../login/browser/state-cookies.ts';
import { SetupLinksService } from './setup-links.service.ts';
import { SetupService } from './setup.service.ts';
import { SetupVisitsService, type Visitor } from './setup-visits.service.ts';
import { MAY_CHANGE_PROBLEMS, OWNER_PROBLEMS } from '../../providers/configuration/settings/provider-owner.ts';
import { UPDATE_PROBLEMS } from '../../providers/configuration/update-provider.ts';

export class ListSetupLinksQuery {
  @Uuid({ optional: true }) orgId?: string;
  @Choice(OWNER_SCOPES, { optional: true, description: "partner: for the partner's own providers" }) scope?: OwnerScope;
}

const WRITES = 'organizations:write';

@ApiTags('sso set-up')
@Controller('sso/setup-links')
export class SetupLinksController {
  constructor(private readonly setupLinks: SetupLinksService) {}

  /** Lists the newest set-up links of an owner: an organisation, or the partner. */
  @Get()
  @Requires('organizations:read')
  @ApiOkResponse({ type: SetupLinkListResponse })
  @ApiProblems('scope_denied')
  async list(@CurrentCaller() caller: UserCaller, @Query() query: ListSetupLinksQuery): Promise<SetupLinkListResponse> {
    return { data: await this.setupLinks.list(caller, query) };
  }

  /** Reads a set-up link with its newest visits. */
  @Get(':id')
  @Requires('organizations:read')
  @ApiOkResponse({ type: SetupLinkResponse })
  @ApiProblems('setup_link_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SetupLinkResponse> {
    return { data: await this.setupLinks.get(caller, id) };
  }

  /**
   * Creates a set-up link. The response contains its address, which is shown only once. Its visitor configures one
   * provider of the owner, or renews the certificate, metadata or client secret of an active one, with your permissions
   * and as long as you have them.
   */
  @Post()
  @Requires(WRITES, { mfa: true, audit: 'sso.setup_link.create' })
  @ApiBody({ type: CreateSetupLinkDto, required: false })
  @ApiCreatedResponse({ type: NewSetupLinkResponse })
  @ApiProblems(
    ...OWNER_PROBLEMS,
    'sso_provider_not_found',
    'sso_provider_active',
    'sso_provider_not_active',
    'role_not_grantable',
    'setup_link_limit_reached',
    'idempotency_secret_shown',
  )
  create(@CurrentCaller() caller: UserCaller, @Body() body: CreateSetupLinkDto): Promise<NewSetupLinkResponse> {
    return this.setupLinks.create(caller, body);
  }

  /** Revokes a set-up link. Its open visits end at once; a link that has already ended does not change. */
  @Delete(':id')
  @Requires(WRITES, { mfa: true, audit: 'sso.setup_link.revoke' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(...MAY_CHANGE_PROBLEMS, 'setup_link_not_found')
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    return this.setupLinks.revoke(caller, id);
  }
}

@ApiTags('sso set-up')
@Controller('sso/setup')
export class SetupController {
  constructor(
    private readonly visits: SetupVisitsService,
    private readonly setup: SetupService,
    private readonly heavyCalls: HeavyCalls,
    private readonly stateCookies: StateCookies,
  ) {}

  /**
   * Opens a visit of a set-up link. For a link with a recipient, the first call returns `codeRequired` and e-mails a
   * code, at most three times a day; a call with that code opens the visit, which lasts 60 minutes.
   */
  @Post('visits')
  @Public()
  @HttpCode(200)
  @RateLimit('setupVisit', perClient)
  @ApiOkResponse({ type: SetupVisitResponse })
  @ApiProblems('setup_link_invalid', 'setup_code_invalid')
  async open(@CurrentCaller() caller: AnonymousCaller, @Body() body: OpenSetupVisitDto): Promise<SetupVisitResponse> {
    return { data: await this.visits.open(caller, body) };
  }

  /** Reads everything that the visitor needs: our addresses, the provider so far, the domains, and what is missing. */
  @Get()
  @SetupRoute()
  @ApiOkResponse({ type: SetupViewResponse })
  async view(@CurrentCaller() visitor: Visitor): Promise<SetupViewResponse> {
    return { data: await this.setup.get(visitor) };
  }

  /**
   * Creates the provider of the link, or replaces its settings as a whole. It does not activate the provider. With a
   * renewal link, it changes only what is sent: `certificate` and `metadataUrl`, or `clientSecret` and
   * `clientSecretExpiresAt`. A certificate is added next to one that is trusted and valid; otherwise it awaits an
   * administrator's approval.
   */
  @Put('provider')
  @SetupRoute('sso.provider.update')
  @ApiOkResponse({ type: SetupViewResponse })
  @ApiProblems(
    ...UPDATE_PROBLEMS,
    'sso_provider_not_found',
    'sso_provider_active',
    'sso_provider_not_active',
    'organization_frozen',
  )
  async putProvider(@CurrentCaller() visitor: Visitor, @Body() body: SetUpProviderDto): Promise<SetupViewResponse> {
    return { data: await this.setup.putProvider(visitor, body) };
  }

  /** Reads SAML metadata, as `POST /sso/providers/metadata` does. Nothing is saved. */
  @Post('metadata')
  @SetupRoute()
  @HttpCode(200)
  @ApiOkResponse({ type: SamlMetadataResponse })
  @ApiProblems('saml_metadata_invalid', 'saml_metadata_unreachable')
  readMetadata(@CurrentCaller() visitor: Visitor, @Body() body: ReadSamlMetadataDto): Promise<SamlMetadataResponse> {
    return this.heavyCalls.during(visitor.id, () => this.setup.readMetadata(visitor, body));
  }

  /** Adds a mail domain to the organisation. It is verified by the DNS record in the response. */
  @Post('domains')
  @SetupRoute('sso.domain.create')
  @ApiCreatedResponse({ type: DomainResponse })
  @ApiProblems('permission_denied', 'org_required', 'organization_frozen', 'domain_taken')
  async addDomain(@CurrentCaller() visitor: Visitor, @Body() body: SetUpDomainDto): Promise<DomainResponse> {
    return { data: await this.setup.addDomain(visitor, body) };
  }

  /** Verifies a mail domain by its DNS record. */
  @Post('domains/:id/verify')
  @SetupRoute('sso.domain.verify')
  @HttpCode(200)
  @ApiOkResponse({ type: DomainResponse })
  @ApiProblems('permission_denied', 'sso_domain_not_found', 'organization_frozen', 'domain_not_verified')
  async verifyDomain(@CurrentCaller() visitor: Visitor, @Param('id', UuidParam) id: string): Promise<DomainResponse> {
    return { data: await this.setup.verifyDomain(visitor, id) };
  }

  /** Starts a test sign-in. Send the browser to `url`; it returns to `/sso-setup`. It opens no session. */
  @Post('test-sign-ins')
  @ApiRateLimit('ssoTest', 'set-up link')
  @SetupRoute('sso.provider.test')
  @ApiCreatedResponse({ type: TestSignInStartedResponse })
  @ApiProblems(
    'sso_provider_not_found',
    'sso_provider_incomplete',
    'sso_provider_not_active',
    'idempotency_secret_shown',
  )
  async beginTest(
    @CurrentCaller() visitor: Visitor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TestSignInStartedResponse> {
    const { state, callbackPath, ...data } = await this.setup.beginTest(visitor);
    reply.header('set-cookie', this.stateCookies.issue(state, callbackPath)).header('cache-control', 'no-store');
    return { data };
  }

  /** Reads a test sign-in of this link: whether the browser has returned, and the result. */
  @Get('test-sign-ins/:id')
  @SetupRoute()
  @ApiOkResponse({ type: TestSignInResponse })
  @ApiProblems('sso_attempt_not_found')
  getTest(@CurrentCaller() visitor: Visitor, @Param('id', UuidParam) id: string): Promise<TestSignInResponse> {
    return this.setup.getTest(visitor, id);
  }

  /**
   * Finishes the set-up and ends the link. It requires every setting, a test sign-in with the current settings and, for
   * an organisation, a verified mail domain; a renewal requires only a sign-in with the current settings, test or real.
   * The link's author is notified by e-mail.
   */
  @Post('complete')
  @SetupRoute('sso.setup_link.complete')
  @HttpCode(200)
  @ApiBody({ type: CompleteSetupDto, required: false })
  @ApiOkResponse({ type: SetupViewResponse })
  @ApiProblems(
    'permission_denied',
    'role_not_grantable',
    'setup_incomplete',
    'sso_enforcement_untested',
    'sso_provider_not_found',
    'sso_provider_not_active',
    'organization_frozen',
    'conflict',
  )
  async complete(@CurrentCaller() visitor: Visitor, @Body() body: CompleteSetupDto): Promise<SetupViewResponse> {
    return { data: await this.setup.complete(visitor, body) };
  }
}
