import {
  asService,
  callerOf,
  changesOf,
  has,
  hasPartnerWidePolicyRights,
  invalid,
  type Origin,
  ProblemError,
  seesOrg,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type {
  CreateSetupLinkDto,
  NewSetupLinkResponse,
  OwnerScope,
  SetupLinkRecord,
  SsoProtocol,
  SuccessResponse,
  VisitedSetupLinkRecord,
} from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Reader, shownOnce, type Tx, UnitOfWork } from '@gatehouse/database';
import { type Owner, presetOf } from '@gatehouse/identity-domain';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysRepository } from '../../api-keys/api-keys.repository.ts';
import { auditRevocation, setupLinkResource } from '../../people/offers/withdraw-dead-offers.ts';
import { IntrospectionRepository } from '../../sessions/introspection/introspection.repository.ts';
import { sessionPrincipal } from '../../sessions/introspection/principals.ts';
import type { RenewalLink } from '../../mail/provider-alerts.ts';
import { requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { ProviderOwner, requireMayChange } from '../../providers/configuration/settings/provider-owner.ts';
import { ProviderTrust } from '../../providers/configuration/settings/provider-trust.ts';
import type { SsoProvider } from '../../providers/configuration/store/sso-provider.entity.ts';
import { SsoProvidersRepository } from '../../providers/configuration/store/sso-providers.repository.ts';
import type { RenewalLinks } from '../../providers/watch/expiries.service.ts';
import {
  type NewLink,
  type SetupLink,
  setupLinkRecordOf,
  SetupLinksRepository,
} from '../../providers/setup-links.repository.ts';

/** The members of a body that were sent. */
export const withoutGaps = <T extends object>(body: T): T =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as T;

const MAX_OPEN = 5;
const WEEK_HOURS = 168;

/** The fields of a link that carry authority. */
const LINK_FIELDS = [
  'providerId',
  'purpose',
  'type',
  'recipientEmail',
  'mayActivate',
  'defaultRoleId',
  'autoProvision',
  'expiresAt',
];

function requireRenewable(provider: SsoProvider | null, type: SsoProtocol | undefined): void {
  if (provider && type && type !== provider.type) throw invalid('type', `must be ${provider.type}`);
  requireActive(provider);
}

/** Whose link it is, and the provider if it is for one that exists. */
interface Subject {
  readonly owner: Owner;
  readonly provider: SsoProvider | null;
}

export const requireInactive = (provider: SsoProvider | null): void => {
  if (provider?.status === 'active')
    throw new ProblemError('sso_provider_active', 'The provider is active: a set-up link cannot change it.');
};

export const requireActive = (provider: SsoProvider | null): void => {
  if (provider?.status !== 'active')
    throw new ProblemError('sso_provider_not_active', 'The provider is not active: there is nothing to renew.');
};

type Authority = Owner & Pick<SetupLink, 'membershipId'>;

/** Whether a person may, at present, do for the link's owner what the link lets its visitor do. */
const mayStill = (author: UserCaller, { partnerId, orgId }: Authority): boolean =>
  author.partnerActive &&
  has(author, 'organizations:write') &&
  author.scope.sites === 'all' &&
  (orgId === null
    ? author.partnerId === partnerId && hasPartnerWidePolicyRights(author)
    : seesOrg(author.scope, partnerId, orgId));

/** The links with which an administrator's trust is handed to a visitor without an account (SSO-160 to SSO-164). */
@Injectable()
export class SetupLinksService implements RenewalLinks {
  constructor(
    private readonly work: UnitOfWork,
    private readonly setupLinksRepository: SetupLinksRepository,
    private readonly providersRepository: SsoProvidersRepository,
    private readonly providerOwner: ProviderOwner,
    private readonly providerTrust: ProviderTrust,
    private readonly introspectionRepository: IntrospectionRepository,
    private readonly apiKeysRepository: ApiKeysRepository,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  async list(
    caller: UserCaller,
    { orgId, scope }: { orgId?: string | undefined; scope?: OwnerScope | undefined },
  ): Promise<SetupLinkRecord[]> {
    if (scope === 'partner' && (caller.level !== 'partner' || !caller.partnerId))
      throw new ProblemError('scope_denied', "The partner's own links are listed in partner scope.");
    const links = await this.work.read(caller, (reader) =>
      this.setupLinksRepository.list(reader, caller, { orgId, scope }),
    );
    return links.map(setupLinkRecordOf);
  }

  get(caller: UserCaller, id: string): Promise<VisitedSetupLinkRecord> {
    return this.work.read(caller, async (reader) => {
      const link = await this.setupLinksRepository.get(reader, caller, id);
      return { ...setupLinkRecordOf(link), visits: await this.setupLinksRepository.visits(reader, link) };
    });
  }

  create(caller: UserCaller, body: CreateSetupLinkDto): Promise<NewSetupLinkResponse> {
    if (body.purpose === 'renew') requireRenewal(body);
    requireSound(body);
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const { owner, provider } = await this.subjectOf(tx, caller, body);
        await this.requireTrusted(tx, caller, { owner, provider, defaultRoleId: body.defaultRoleId });
        if ((await this.setupLinksRepository.countOpen(tx, owner)) >= MAX_OPEN)
          throw new ProblemError('setup_link_limit_reached', `There are ${MAX_OPEN} open links: revoke one first.`);
        // The count has locked the owner's links: an earlier archiving is seen here, a later one finds this link.
        await requireOpenOwner(tx, owner);
        const { providerId: rootProviderId = null, linkId: rootLinkId = null } =
          (await this.apiKeysRepository.rootOf(tx, caller)) ?? {};
        const root = { rootProviderId, rootLinkId };
        return { data: await this.store(tx, caller, { ...newLink(body, provider), ...owner, ...root }) };
      },
      shownOnce(({ data }) => data.id),
    );
  }

  /** `DELETE /sso/setup-links/:id`: ends the link and its visits. A link that has ended stays as it is. */
  revoke(caller: UserCaller, id: string): Promise<SuccessResponse> {
    return this.work.run(caller, async (tx) => {
      const link = await this.setupLinksRepository.get(tx, caller, id);
      requireMayChange(caller, link);
      await requireOpenOwner(tx, link);
      if (link.status !== 'open') return { success: true };
      await this.setupLinksRepository.end(tx, link, 'revokedAt');
      auditRevocation(tx, link, 'revoked');
      return { success: true };
    });
  }

  /** @returns the author within the link's owner, or null when the link has lost its authority */
  async authorOf(reader: Reader, link: Authority, origin: Origin): Promise<UserCaller | null> {
    const row = await this.introspectionRepository.membership(reader, link.membershipId);
    if (!row) return null;
    // The author proved a second factor when the link was made.
    const author = callerOf({ ...sessionPrincipal({ ...row, mfa: true, confined: true }), sessionId: null }, origin);
    const orgs = link.orgId === null ? 'all' : new Set([link.orgId]);
    return mayStill(author, link) ? { ...author, scope: { partner: link.partnerId, orgs, sites: 'all' } } : null;
  }

  /**
   * Makes a link that renews an active provider, in the authority of the administrator who last configured it
   * (SSO-175).
   * @returns null when they may not configure it any more, or five links are open
   */
  async createForAlert(tx: Tx, provider: SsoProvider): Promise<RenewalLink | null> {
    const { id: providerId, partnerId, orgId, type, preset, status, trustedBy } = provider;
    const membershipId = await this.providerTrust.mayStillConfigure(tx, trustedBy, provider);
    if (membershipId === null || status !== 'active') return null;
    const owner = { partnerId, orgId };
    const author = await this.authorOf(tx, { ...owner, membershipId }, asService('identity').origin);
    if (!author || (await this.setupLinksRepository.countOpen(tx, owner)) >= MAX_OPEN) return null;
    const body = { ...DEFAULTS, ...ABSENT, ...NO_ROOT, purpose: 'renew', type, preset, autoProvision: false } as const;
    const { url } = await this.store(tx, author, { ...body, ...owner, providerId, hours: WEEK_HOURS }, 'expiry_alert');
    return { to: author.email, link: url };
  }

  /** @param cause what made the link, unless a person did */
  private async store(
    tx: Tx,
    author: UserCaller,
    wanted: Omit<NewLink, 'tokenHash'>,
    cause?: 'expiry_alert',
  ): Promise<NewSetupLinkResponse['data']> {
    const token = randomToken();
    const link = await this.setupLinksRepository.insert(tx, author, { ...wanted, tokenHash: sha256Hex(token) });
    const data = setupLinkRecordOf(link);
    tx.audit({
      action: 'sso.setup_link.create',
      resource: setupLinkResource(link),
      partnerId: link.partnerId,
      orgId: link.orgId,
      details: { ...(cause && { cause }), changes: changesOf(null, data, LINK_FIELDS) },
    });
    return { ...data, url: `${this.baseUrl}/sso-setup#${token}` };
  }

  private async subjectOf(
    tx: Tx,
    caller: UserCaller,
    { providerId, ownerScope, orgId, purpose, type }: CreateSetupLinkDto,
  ): Promise<Subject> {
    const provider = providerId ? await this.providersRepository.get(tx, caller, providerId) : null;
    const named = provider && !ownerScope && !orgId ? ownerNamedBy(provider) : { ownerScope, orgId };
    const owner = await this.providerOwner.choose(tx, caller, named);
    if (provider && (provider.orgId !== owner.orgId || provider.partnerId !== owner.partnerId))
      throw new ProblemError('sso_provider_not_found', 'There is no such SSO provider.');
    if (purpose === 'renew') requireRenewable(provider, type);
    else requireInactive(provider);
    return { owner, provider };
  }

  /** The visitor configures the provider in the author's place. */
  private async requireTrusted(
    tx: Tx,
    caller: UserCaller,
    { owner, provider, defaultRoleId }: Subject & Pick<CreateSetupLinkDto, 'defaultRoleId'>,
  ): Promise<void> {
    await this.providerTrust.requireMayGrant(tx, caller, owner, defaultRoleId);
    await this.providerTrust.requireMayConfigure(
      tx,
      caller,
      provider ?? { ...owner, id: newId(), defaultRoleId: defaultRoleId ?? null, enforceSso: false },
    );
  }
}

const ownerNamedBy = ({ orgId }: SsoProvider): { ownerScope: OwnerScope; orgId: string | null } => ({
  ownerScope: orgId === null ? 'partner' : 'organization',
  orgId,
});

const DEFAULTS = { purpose: 'configure', mayActivate: false, expiresInHours: WEEK_HOURS, autoProvision: true } as const;
const ABSENT = { type: null, recipientEmail: null, defaultRoleId: null };
const NO_ROOT = { rootProviderId: null, rootLinkId: null };

/** A link as its body asks for it. */
function newLink({ ownerScope: _o, orgId: _i, ...body }: CreateSetupLinkDto, provider: SsoProvider | null) {
  const { expiresInHours: hours, autoProvision, preset, ...link } = { ...DEFAULTS, ...ABSENT, ...withoutGaps(body) };
  return {
    ...link,
    hours,
    providerId: provider?.id ?? null,
    ...(provider && link.purpose === 'renew' && { type: provider.type }),
    preset: preset ?? provider?.preset ?? null,
    autoProvision: autoProvision && link.defaultRoleId !== null,
  };
}

/** A link that renews is of a provider that is active, and leaves everything else of it alone. */
function requireRenewal({ providerId, preset, mayActivate }: CreateSetupLinkDto): void {
  if (providerId === undefined) throw invalid('providerId', 'must name the provider that is renewed');
  if (preset !== undefined) throw invalid('preset', 'is for a provider that is set up');
  if (mayActivate) throw invalid('mayActivate', 'is for a provider that is not active');
}

/** The members of a link that depend on each other. */
function requireSound({ providerId, type, preset, defaultRoleId, autoProvision }: CreateSetupLinkDto): void {
  const known = presetOf(preset);
  if (preset !== undefined && (!known || (type !== undefined && known.type !== type)))
    throw invalid('preset', `must be the id of a preset${type ? ` for ${type}` : ''}`);
  if (autoProvision && defaultRoleId === undefined) throw invalid('autoProvision', 'needs a defaultRoleId');
  if (providerId !== undefined && defaultRoleId !== undefined)
    throw invalid('defaultRoleId', 'is for a provider that the visitor makes; this one has its own');
}
