import { invalid, ProblemError, requireUpdates } from '@gatehouse/contracts-core';
import {
  type CompleteSetupDto,
  type CreateProviderDto,
  type DomainRecord,
  type ProviderConnectionRecord,
  type ReadSamlMetadataDto,
  type SamlMetadataResponse,
  type SetUpDomainDto,
  SetupLinkCompleted,
  type SetUpProviderDto,
  type SetupStep,
  type SetupView,
  SSO_PROTOCOLS,
  type SsoProtocol,
  type TestSignInResponse,
} from '@gatehouse/contracts-identity';
import { type Reader, type Tx, UnitOfWork } from '@gatehouse/database';
import {
  DEFAULT_MAPPING,
  DEFAULT_SCOPES,
  EXAMPLES,
  missingSettings,
  presetOf,
  PRESETS,
} from '@gatehouse/identity-domain';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { Mailer } from '../../mail/mailer.ts';
import { setupCompletedMail } from '../../mail/templates.ts';
import { type StartedTest, TestSignIns } from '../test-sign-ins/test-sign-ins.service.ts';
import { LoginBrandingRepository } from '../../tenants/branding/login-branding.repository.ts';
import { CreateProvider } from '../../providers/configuration/create-provider.ts';
import { settingsForCompleteness, SsoProvidersService } from '../../providers/configuration/sso-providers.service.ts';
import { ProviderTrust } from '../../providers/configuration/settings/provider-trust.ts';
import { providerRecordOf } from '../../providers/configuration/store/provider.view.ts';
import type { SsoProvider } from '../../providers/configuration/store/sso-provider.entity.ts';
import { SsoProvidersRepository } from '../../providers/configuration/store/sso-providers.repository.ts';
import { UpdateProvider } from '../../providers/configuration/update-provider.ts';
import { requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { domainRecordOf, DomainsService } from '../../providers/domains/domains.service.ts';
import { DomainsRepository } from '../../providers/domains/domains.repository.ts';
import { SamlMetadataService } from '../../providers/saml-metadata/saml-metadata.service.ts';
import { MetadataChangesService } from '../../providers/watch/metadata-changes.service.ts';
import { requireActive, requireInactive, withoutGaps } from './setup-links.service.ts';
import { setupLinkResource } from '../../people/offers/withdraw-dead-offers.ts';
import { SetupLinksRepository, type VisitedLink } from '../../providers/setup-links.repository.ts';
import type { Visitor } from './setup-visits.service.ts';
import { GetServiceProvider } from '../service-provider/service-provider.controller.ts';

/** What the visitor sees of a provider: nothing of roles, people and our own ids. */
function connectionOf(provider: SsoProvider): ProviderConnectionRecord {
  const {
    id: _id,
    ownerScope: _o,
    orgId: _g,
    partnerId: _p,
    autoProvision: _a,
    defaultRoleId: _r,
    defaultRoleConfiguredBy: _c,
    allowedDomains: _d,
    enforceSSO: _e,
    enforcement: _h,
    trustsIdpMfa: _t,
    mfaEvidence: _m,
    mfaEvidenceValues: _v,
    subjectClaim: _s,
    forceAuthn: _f,
    metadataPolicy: _mp,
    metadataCheckedAt: _mc,
    metadataError: _me,
    pendingChangeId: _mi,
    version: _n,
    createdBy: _b,
    ...shown
  } = providerRecordOf(provider);
  return shown;
}

const isConfigured = (provider: SsoProvider): boolean =>
  missingSettings(provider.type, settingsForCompleteness(provider)).length === 0;

function requirePreset(id: string | null, type: SsoProtocol): ReturnType<typeof presetOf> {
  const known = presetOf(id);
  if (id !== null && known?.type !== type) throw invalid('preset', `must be the id of a preset for ${type}`);
  return known;
}

/** The preset that the link names, if it is one for the type that is set up. */
const presetFor = ({ preset }: Visitor['link'], { type }: SetUpProviderDto): string | null =>
  presetOf(preset)?.type === type ? preset : null;

/**
 * The settings that a PUT stands for: what it leaves out has its preset's value, or none.
 * @param readFrom the address of the metadata that were read before
 */
function connectionIn(
  { configVersion: _v, preset = null, type, ...body }: SetUpProviderDto,
  readFrom: string | null | undefined,
) {
  if (type === undefined) throw invalid('type', `must be one of ${SSO_PROTOCOLS.join(', ')}`);
  const known = requirePreset(preset, type);
  return {
    type,
    issuer: null,
    clientId: null,
    nameIdFormat: null,
    metadataUrl: null,
    // With its metadata, a provider says these itself; with its secret, when that runs out.
    ...(!(body.metadataUrl && body.metadataUrl === readFrom) && { entityId: null, ssoUrl: null, certificate: null }),
    ...(body.clientSecret && { clientSecretExpiresAt: null }),
    scopes: known?.scopes ?? DEFAULT_SCOPES,
    attributeMapping: { ...(known?.attributeMapping ?? DEFAULT_MAPPING) },
    ...withoutGaps(body),
    preset,
  };
}

/** What a link that renews takes, by the protocol of its provider (SSO-171). */
const RENEWABLE: Readonly<Record<SsoProtocol, readonly string[]>> = {
  oidc: ['clientSecret', 'clientSecretExpiresAt'],
  saml: ['certificate', 'metadataUrl'],
};
const CANNOT_BE_EMPTIED = ['certificate', 'metadataUrl'];

/** @throws ProblemError validation_failed naming each member that may not be renewed, no_updates_provided */
function renewalIn({ type }: SsoProvider, { configVersion: _v, type: named = type, ...body }: SetUpProviderDto) {
  if (named !== type) throw invalid('type', `must be ${type}`);
  const sent = Object.entries(withoutGaps(body));
  const issues = sent.flatMap(([path, value]) => {
    if (!RENEWABLE[type].includes(path)) return [{ path, message: `cannot be renewed of a provider with ${type}` }];
    return CANNOT_BE_EMPTIED.includes(path) && !value ? [{ path, message: 'can be renewed, and not removed' }] : [];
  });
  if (issues.length > 0) throw new ProblemError('validation_failed', 'The request is not valid.', { issues });
  return requireUpdates(body);
}

const changedMeanwhile = (): ProblemError =>
  new ProblemError('conflict', 'The provider was changed in the meantime; load it again.');

/** A change of what the visitor has read, and of a provider in the right state. */
function requireUnchanged({ configVersion }: SetUpProviderDto, requireState: (provider: SsoProvider) => void) {
  if (configVersion === undefined) throw invalid('configVersion', 'must name the version that was read');
  return (current: SsoProvider): void => {
    requireState(current);
    if (current.configVersion !== configVersion) throw changedMeanwhile();
  };
}

function requireToConfigure({ purpose }: VisitedLink): void {
  if (purpose === 'renew') throw new ProblemError('permission_denied', 'This link can only renew a provider.');
}

interface State {
  readonly provider: SsoProvider | null;
  readonly domains: DomainRecord[];
  readonly missing: SetupStep[];
}

/** What the visitor of a set-up link does, each write in the authority of the link's author (SSO-163). */
@Injectable()
export class SetupService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly setupLinksRepository: SetupLinksRepository,
    private readonly providersRepository: SsoProvidersRepository,
    private readonly domainsRepository: DomainsRepository,
    private readonly brandingRepository: LoginBrandingRepository,
    private readonly testSignIns: TestSignIns,
    private readonly serviceProvider: GetServiceProvider,
    private readonly createProvider: CreateProvider,
    private readonly updateProvider: UpdateProvider,
    private readonly ssoProviders: SsoProvidersService,
    private readonly samlMetadata: SamlMetadataService,
    private readonly metadataChanges: MetadataChangesService,
    private readonly providerTrust: ProviderTrust,
    private readonly domains: DomainsService,
    private readonly mailer: Mailer,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  get({ author, link }: Visitor): Promise<SetupView> {
    return this.work.read(author, (reader) => this.viewOf(reader, { author, link }));
  }

  /** `PUT /sso/setup/provider`: makes the link's provider, or replaces its settings. */
  async putProvider(visitor: Visitor, body: SetUpProviderDto): Promise<SetupView> {
    const { author, link } = visitor;
    if (link.purpose === 'renew') await this.renew(visitor, body);
    else await this.configure(visitor, body);
    return this.work.read(author, async (reader) =>
      this.viewOf(reader, {
        author,
        link: { ...link, ...(await this.setupLinksRepository.get(reader, author, link.id)) },
      }),
    );
  }

  readMetadata({ author }: Visitor, body: ReadSamlMetadataDto): Promise<SamlMetadataResponse> {
    return this.samlMetadata.read(author, body);
  }

  addDomain({ author, link }: Visitor, { domain }: SetUpDomainDto): Promise<DomainRecord> {
    requireToConfigure(link);
    if (link.orgId === null) throw new ProblemError('org_required', 'Only organisations have mail domains.');
    return this.domains.create(author, { orgId: link.orgId, domain });
  }

  verifyDomain({ author, link }: Visitor, id: string): Promise<DomainRecord> {
    requireToConfigure(link);
    if (link.orgId === null) throw new ProblemError('sso_domain_not_found', 'There is no such domain.');
    return this.domains.verify(author, id);
  }

  /** `POST /sso/setup/test-sign-ins` */
  async beginTest({ author, link }: Visitor): Promise<StartedTest> {
    const { providerId } = link;
    if (providerId === null) throw new ProblemError('sso_provider_incomplete', 'There is no provider yet.');
    const provider = await this.work.read(author, (reader) => this.providersRepository.get(reader, author, providerId));
    if (link.purpose === 'renew') requireActive(provider);
    return this.testSignIns.beginThroughLink(author, link.id, provider);
  }

  getTest({ author, link }: Visitor, attemptId: string): Promise<TestSignInResponse> {
    return this.work.read(author, (reader) =>
      this.testSignIns.read(reader, author.scope, { attemptId, setupLinkId: link.id }),
    );
  }

  /** `POST /sso/setup/complete`: ends the link once nothing is missing. */
  complete({ author, link }: Visitor, { activate = false }: CompleteSetupDto): Promise<SetupView> {
    if (activate && !link.mayActivate)
      throw new ProblemError('permission_denied', 'This link does not allow activating the provider.');
    return this.work.run(author, async (tx) => {
      // Another visit that changes the provider locks the provider first and the link second: so does this one.
      if (link.providerId !== null) await this.providersRepository.lock(tx, author, link.providerId);
      if (!(await this.setupLinksRepository.end(tx, link, 'completedAt')))
        throw new ProblemError('setup_link_invalid', 'This link has ended.');
      const { steps, ...view } = await this.viewOf(tx, { author, link });
      const { providerId } = link;
      if (view.missing.length > 0 || providerId === null)
        throw new ProblemError('setup_incomplete', 'The set-up is not complete.', { missing: view.missing });
      const provider = activate
        ? await this.ssoProviders.changeStatus(tx, author, { id: providerId, status: 'active', force: false })
        : await this.providersRepository.get(tx, author, providerId);
      if (link.purpose === 'renew') requireActive(provider);
      await this.tellCompletion(tx, { author, link }, provider, activate);
      return { ...view, provider: connectionOf(provider), steps: { ...steps, completed: true } };
    });
  }

  private async configure(visitor: Visitor, sent: SetUpProviderDto): Promise<void> {
    const { author, link } = visitor;
    const body = { ...sent, preset: sent.preset === undefined ? presetFor(link, sent) : sent.preset };
    if (link.type !== null && body.type !== link.type) throw invalid('type', `must be ${link.type}`);
    const { providerId } = link;
    if (providerId === null) await this.makeProvider(visitor, body, connectionIn(body, null));
    else {
      const stored = await this.work.read(author, (reader) => this.providersRepository.get(reader, author, providerId));
      const connection = connectionIn(body, stored.metadataUrl);
      const check = requireUnchanged(body, requireInactive);
      const updated = async (tx: Tx, provider: SsoProvider): Promise<SsoProvider> => {
        await this.setupLinksRepository.holdOpen(tx, link);
        return provider;
      };
      await this.updateProvider.update(author, { id: providerId, body: connection, force: false, check, updated });
    }
  }

  /** Changes only what is sent (SSO-171, SSO-172): a certificate by the rules of the watch over metadata. */
  private async renew({ author, link }: Visitor, body: SetUpProviderDto): Promise<void> {
    const { providerId } = link;
    if (providerId === null) throw new ProblemError('sso_provider_not_found', 'There is no such SSO provider.');
    const stored = await this.work.read(author, (reader) => this.providersRepository.get(reader, author, providerId));
    const { certificate, ...settings } = renewalIn(stored, body);
    const check = requireUnchanged(body, requireActive);
    const paste = async (tx: Tx, provider: SsoProvider): Promise<SsoProvider> => {
      await this.setupLinksRepository.holdOpen(tx, link);
      if (!certificate) return provider;
      await this.providerTrust.requireMayConfigure(tx, author, provider);
      await this.metadataChanges.paste(tx, provider, certificate, author.userId);
      return this.providersRepository.get(tx, author, providerId);
    };
    if (Object.keys(settings).length > 0)
      await this.updateProvider.update(author, { id: providerId, body: settings, force: false, check, updated: paste });
    else
      await this.work.run(author, async (tx) => {
        await requireOpenOwner(tx, stored);
        const provider = await this.providersRepository.lock(tx, author, providerId);
        check(provider);
        await paste(tx, provider);
      });
  }

  private makeProvider(
    { author, link }: Visitor,
    { configVersion, preset }: SetUpProviderDto,
    connection: ReturnType<typeof connectionIn>,
  ): Promise<unknown> {
    if (configVersion !== undefined) throw changedMeanwhile();
    const body: CreateProviderDto = {
      name: presetOf(preset)?.name ?? 'Single sign-on',
      ...connection,
      ownerScope: link.orgId === null ? 'partner' : 'organization',
      orgId: link.orgId,
      autoProvision: link.autoProvision,
      defaultRoleId: link.defaultRoleId,
    };
    return this.createProvider.create(author, body, {
      mustDiscover: true,
      created: (tx, provider) => this.setupLinksRepository.takeProvider(tx, link, provider.id),
    });
  }

  private async stateOf(reader: Reader, { author, link }: Pick<Visitor, 'author' | 'link'>): Promise<State> {
    const provider = link.providerId ? await this.providersRepository.get(reader, author, link.providerId) : null;
    const isRenewal = link.purpose === 'renew';
    const domains =
      link.orgId === null || isRenewal ? [] : await this.domainsRepository.list(reader, author.scope, link.orgId);
    const done: Readonly<Record<SetupStep, boolean>> = {
      configured: provider !== null && isConfigured(provider),
      domainVerified: link.orgId === null || isRenewal || domains.some(({ verifiedAt }) => verifiedAt !== null),
      tested:
        provider !== null &&
        ((isRenewal && provider.testedVersion === provider.configVersion) ||
          (await this.testSignIns.isTestedThroughLink(reader, link.id, provider))),
    };
    const missing = (Object.keys(done) as SetupStep[]).filter((step) => !done[step]);
    return { provider, domains: domains.map(domainRecordOf), missing };
  }

  private async viewOf(reader: Reader, visitor: Pick<Visitor, 'author' | 'link'>): Promise<SetupView> {
    const { link } = visitor;
    const { provider, domains, missing } = await this.stateOf(reader, visitor);
    const branding = await this.brandingRepository.find(reader, link.partnerId);
    return {
      ...(await this.setupLinksRepository.names(reader, link)),
      branding: branding && {
        logoUrl: branding.logoUrl,
        accentColor: branding.accentColor,
        headline: branding.headline,
      },
      purpose: link.purpose,
      type: link.type,
      preset: link.preset,
      mayActivate: link.mayActivate,
      defaultRoleId: provider?.defaultRoleId ?? link.defaultRoleId,
      autoProvision: provider?.autoProvision ?? link.autoProvision,
      withProvisioning: false,
      provider: provider && connectionOf(provider),
      copyValues: this.serviceProvider.get().data,
      presets: [...PRESETS],
      examples: [...EXAMPLES],
      domains,
      steps: {
        configured: !missing.includes('configured'),
        domainVerified: !missing.includes('domainVerified'),
        tested: !missing.includes('tested'),
        completed: false,
      },
      missing,
      awaitsApproval: provider !== null && provider.pendingChangeId !== null,
      expiresAt: link.visitExpiresAt.toISOString(),
    };
  }

  private async tellCompletion(
    tx: Tx,
    { author, link }: Pick<Visitor, 'author' | 'link'>,
    { id: providerId, name: providerName }: SsoProvider,
    activated: boolean,
  ): Promise<void> {
    const { id: setupLinkId, partnerId, orgId } = link;
    const { organizationName, partnerName } = await this.setupLinksRepository.names(tx, link);
    const tenantName = organizationName ?? partnerName;
    const outcome = link.purpose === 'renew' ? 'renewed' : activated ? 'active' : 'inactive';
    await this.mailer.post(
      tx,
      setupCompletedMail({ baseUrl: this.baseUrl, to: author.email, tenantName, providerId, providerName, outcome }),
    );
    tx.emit(SetupLinkCompleted, { setupLinkId, providerId, partnerId, orgId, activated }, { aggregateId: providerId });
    tx.audit({
      action: 'sso.setup_link.complete',
      resource: setupLinkResource(link),
      partnerId,
      orgId,
      details: { providerId, activated },
    });
  }
}
