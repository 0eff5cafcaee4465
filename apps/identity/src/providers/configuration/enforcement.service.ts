import {
  asService,
  changesOf,
  invalid,
  ProblemError,
  requireVersion,
  type UserCaller,
} from '@gatehouse/contracts-core';
import {
  type EnforcementCause,
  type EnforcementOutcome,
  type EnforcementPreviewResponse,
  type GovernedUserRecord,
  type Postponement,
  type ProviderRecord,
  type SetEnforcementDto,
  SsoEnforcementChanged,
} from '@gatehouse/contracts-identity';
import { type Reader, type Tx, UnitOfWork } from '@gatehouse/database';
import { entraTenantOf, missingSettings, outlookOf } from '@gatehouse/identity-domain';
import { BASE_URL, Every, LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { AdministratorsRepository, TenantNamesRepository } from '../../mail/recipients.repository.ts';
import { Mailer } from '../../mail/mailer.ts';
import { enforcementMail, postponementMail } from '../../mail/templates.ts';
import { AttemptsService } from '../attempt-log/attempts.service.ts';
import { loginUrlOf } from '../home-realm/home-realm.service.ts';
import { isFrozen, requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { usableUntil } from './certificates/certificate-keys.ts';
import { readCertificates } from './certificates/saml-certificates.ts';
import { requireMayChange } from './settings/provider-owner.ts';
import { ProviderTrust } from './settings/provider-trust.ts';
import { announceProvider, settingsForCompleteness } from './sso-providers.service.ts';
import { providerRecordOf } from './store/provider.view.ts';
import type { SsoProvider } from './store/sso-provider.entity.ts';
import { SsoProvidersRepository } from './store/sso-providers.repository.ts';
import { Enforcement, requireTested } from '../enforcement/enforcement.ts';
import { EnforcementRepository } from '../enforcement/enforcement.repository.ts';

const EVERY_MS = 10_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_DAYS_AHEAD = 90;
/** Users are told at the start, and so long before the date. */
const NOTICES_MS = [7 * DAY_MS, DAY_MS];

interface EnforcementChange {
  readonly before: SsoProvider;
  readonly after: SsoProvider;
}

interface WantedState {
  readonly stage: SetEnforcementDto['stage'];
  readonly enforceAt: Date | null;
}

interface WantedStage extends EnforcementChange {
  readonly body: SetEnforcementDto;
}

type Details = Readonly<Record<string, unknown>>;

interface RecordedChange extends EnforcementChange {
  readonly action: 'sso.enforcement.stage' | 'sso.enforcement.postpone';
  readonly cause: EnforcementCause;
  readonly details?: Details;
}

/** @throws ProblemError validation_failed */
function dateIn({ stage, enforceAt }: SetEnforcementDto): Date | null {
  if (stage !== 'warn') {
    if (enforceAt !== undefined) throw invalid('enforceAt', 'belongs to the stage "warn" alone');
    return null;
  }
  const date = new Date(enforceAt ?? NaN);
  const ahead = date.getTime() - Date.now();
  if (!(ahead >= HOUR_MS && ahead <= MAX_DAYS_AHEAD * DAY_MS))
    throw invalid('enforceAt', `must be 1 hour to ${MAX_DAYS_AHEAD} days ahead`);
  return date;
}

/** When the next mail about a date is due; null after the last. */
function noticeBefore(date: Date, now = Date.now()): Date | null {
  const next = NOTICES_MS.map((ms) => date.getTime() - ms).find((at) => at > now);
  return next === undefined ? null : new Date(next);
}

function postponed(date: Date): Date {
  const days = Math.floor((Date.now() - date.getTime()) / DAY_MS) + 1;
  return new Date(date.getTime() + days * DAY_MS);
}

/** @returns null where the stage and date stand already, and nothing else has to change with them (SSO-200) */
function stageChanges(before: SsoProvider, wanted: WantedState, by: string): Partial<SsoProvider> | null {
  const { stage, enforceAt } = wanted;
  const isNews = before.enforcementStage !== stage || before.enforceAt?.getTime() !== enforceAt?.getTime();
  const changes = { enforceSso: stage === 'enforce', enforcementStage: stage, enforceAt, enforcementPostponed: null };
  if (stage !== 'warn') return isNews ? { ...changes, ...(stage === 'enforce' && { trustedBy: by }) } : null;
  if (isNews) return { ...changes, enforcementBy: by, enforcementNoticeAt: new Date() };
  const isTakenOver = before.enforcementBy !== by || before.enforcementPostponed !== null;
  return isTakenOver ? { ...changes, enforcementBy: by } : null;
}

const stateOf = ({ enforcementStage: stage, enforceAt }: SsoProvider) => ({ stage, enforceAt });

/** Tells other systems of a change of a provider's stage or date. */
export function announceEnforcement(tx: Tx, provider: SsoProvider, cause: EnforcementCause): void {
  const { id, partnerId, orgId, enforcementStage, enforceAt } = provider;
  tx.emit(
    SsoEnforcementChanged,
    { providerId: id, partnerId, orgId, stage: enforcementStage, enforceAt: enforceAt?.toISOString() ?? null, cause },
    { aggregateId: id },
  );
}

/** Staged enforcement (SSO-140 to SSO-150): says whom it would concern, sets its stage, and begins it at its date. */
@Injectable()
export class EnforcementService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly enforcementRepository: EnforcementRepository,
    private readonly enforcement: Enforcement,
    private readonly providerTrust: ProviderTrust,
    private readonly attempts: AttemptsService,
    private readonly administratorsRepository: AdministratorsRepository,
    private readonly tenantNamesRepository: TenantNamesRepository,
    private readonly mailer: Mailer,
    @Inject(BASE_URL) private readonly baseUrl: string,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** `GET /sso/providers/:id/enforcement-preview`: lists the users in the caller's reach, with what awaits them. */
  preview(caller: UserCaller, id: string): Promise<EnforcementPreviewResponse> {
    return this.work.read(caller, async (reader) => {
      const provider = await this.ssoProvidersRepository.get(reader, caller, id);
      requireMayChange(caller, provider);
      const users = await this.usersOf(reader, caller, provider);
      const count = (outcome: EnforcementOutcome): number => users.filter((user) => user.outcome === outcome).length;
      const { enforcementStage: stage, enforceAt, enforcementPostponed } = provider;
      return {
        data: {
          tested: provider.testedVersion === provider.configVersion,
          users,
          withoutLink: users.filter(({ linked, outcome }) => !linked && outcome !== 'exempt').length,
          summary: {
            signsIn: count('signs_in'),
            links: count('links_at_first_sign_in'),
            provesAccount: count('proves_account'),
            stuck: count('stuck'),
            exempt: count('exempt'),
          },
          stage,
          enforceAt: enforceAt?.toISOString() ?? null,
          ...(enforcementPostponed && { postponedBecause: enforcementPostponed }),
        },
      };
    });
  }

  private async usersOf(reader: Reader, caller: UserCaller, provider: SsoProvider): Promise<GovernedUserRecord[]> {
    const members = await this.enforcementRepository.outlook(reader, provider, caller.scope);
    // Microsoft Entra ID and SAML say nothing about addresses unless they are made to.
    const usual = provider.type === 'oidc' && entraTenantOf(provider.issuer) === null;
    const vouches = (await this.attempts.vouches(reader, provider)) ?? usual;
    const axis = provider.orgId === null ? 'partner' : 'organization';
    return members.map((member) => {
      const { userId, email, name, linked, openPasswordSessions, apiKeys, lastSsoSignInAt: at } = member;
      return {
        userId,
        email,
        name,
        linked,
        ...outlookOf({ ...member, email: member.sentEmail }, { ...provider, axis, vouches }),
        openPasswordSessions,
        apiKeys,
        lastSsoSignInAt: at?.toISOString() ?? null,
      };
    });
  }

  set(caller: UserCaller, id: string, body: SetEnforcementDto): Promise<ProviderRecord> {
    const { stage } = body;
    return this.work.run(caller, async (tx) => {
      const before = await this.ssoProvidersRepository.lock(tx, caller, id);
      requireMayChange(caller, before);
      await requireOpenOwner(tx, before);
      requireVersion(caller, before.version);
      const enforceAt = dateIn(body);
      const changes = stageChanges(before, { stage, enforceAt }, caller.userId);
      const after = changes ? await this.ssoProvidersRepository.update(tx, before, changes) : before;
      const details = await this.requireAllowed(tx, caller, { before, after, body });
      if (after !== before)
        this.record(tx, { before, after, action: 'sso.enforcement.stage', cause: 'person', details });
      return providerRecordOf(after);
    });
  }

  private async requireAllowed(tx: Tx, caller: UserCaller, { before, after, body }: WantedStage): Promise<Details> {
    const { stage } = body;
    const isLasting = stage === 'warn' || stage === 'enforce';
    if (isLasting) await this.providerTrust.requireMayConfigure(tx, caller, { ...after, enforceSso: true });
    if (stage !== 'off' && after.status !== 'active')
      throw new ProblemError('sso_provider_not_active', 'Activate the provider first.');
    const goesOn = before.enforceSso && after.enforceSso;
    return isLasting && !goesOn ? this.requireReady(tx, caller, { before, after, body }) : {};
  }

  /** @returns what was overridden or confirmed */
  private async requireReady(tx: Tx, caller: UserCaller, { before, after, body }: WantedStage): Promise<Details> {
    const { force = false, confirmStuck = 0 } = body;
    const forced = requireTested(after, force);
    const users = await this.usersOf(tx, caller, after);
    const stuck = users.filter(({ outcome }) => outcome === 'stuck').length;
    if (stuck !== confirmStuck) {
      const reason = 'As many users could not sign in any more: look at the preview, and confirm how many.';
      throw new ProblemError('people_would_be_stuck', reason, { stuck });
    }
    await this.enforcement.applyChange(tx, { before, after, force });
    return { ...(forced && { enforcementForced: true }), ...(stuck > 0 && { confirmedStuck: stuck }) };
  }

  private record(tx: Tx, { before, after, action, cause, details }: RecordedChange): void {
    const { id, name, partnerId, orgId } = after;
    announceProvider(tx, after);
    announceEnforcement(tx, after, cause);
    tx.audit({
      action,
      resource: { type: 'sso_provider', id, name },
      partnerId,
      orgId,
      details: { cause, ...details, changes: changesOf(stateOf(before), stateOf(after), ['stage', 'enforceAt']) },
    });
  }

  /** Begins enforcement whose date has come, or postpones it, and mails those whom a coming date concerns. */
  @Every(EVERY_MS, 'dates of enforcement')
  async round(): Promise<void> {
    const service = asService('identity');
    for (const id of await this.work.backgroundRead(service, (reader) =>
      this.ssoProvidersRepository.dueForEnforcement(reader),
    ))
      await this.work
        .background(service, (tx) => this.advance(tx, id))
        .catch((error: unknown) => this.log.error({ err: error, provider: id }, 'a date of enforcement failed'));
  }

  private async advance(tx: Tx, id: string): Promise<void> {
    const provider = await this.ssoProvidersRepository.takeDue(tx, id);
    if (!provider?.enforceAt) return;
    if (provider.enforceAt.getTime() > Date.now()) return this.mailUsers(tx, provider, provider.enforceAt);
    const obstacle = await this.obstacleOf(tx, provider);
    return obstacle ? this.postpone(tx, provider, obstacle) : this.begin(tx, provider);
  }

  private async obstacleOf(tx: Tx, provider: SsoProvider): Promise<Postponement | null> {
    const { status, type, orgId, certificate, weakKeysUntil, testedVersion, configVersion } = provider;
    if (await isFrozen(tx, orgId)) return 'organization_frozen';
    if (status !== 'active') return 'sso_provider_not_active';
    if (missingSettings(type, settingsForCompleteness(provider)).length > 0) return 'sso_provider_incomplete';
    const certificates = type === 'saml' ? readCertificates(certificate ?? '') : [];
    if (certificates.length > 0 && certificates.every((one) => usableUntil(one, weakKeysUntil) <= Date.now()))
      return 'certificates_expired';
    if (testedVersion !== configVersion) return 'sso_enforcement_untested';
    return (await this.providerTrust.mayStillConfigure(tx, provider.enforcementBy, { ...provider, enforceSso: true }))
      ? null
      : 'role_not_grantable';
  }

  private async begin(tx: Tx, before: SsoProvider): Promise<void> {
    const setBy = before.enforcementBy;
    const after = await this.ssoProvidersRepository.update(tx, before, {
      enforceSso: true,
      enforcementStage: 'enforce',
      enforceAt: null,
      trustedBy: setBy,
    });
    await this.enforcement.applyChange(tx, { before, after, force: false });
    this.record(tx, { before, after, action: 'sso.enforcement.stage', cause: 'schedule', details: { setBy } });
  }

  private async postpone(tx: Tx, before: SsoProvider, obstacle: Postponement): Promise<void> {
    const enforceAt = postponed(before.enforceAt ?? new Date());
    const after = await this.ssoProvidersRepository.update(tx, before, {
      enforceAt,
      enforcementPostponed: obstacle,
      enforcementNoticeAt: noticeBefore(enforceAt),
    });
    const details = { reason: obstacle };
    this.record(tx, { before, after, action: 'sso.enforcement.postpone', cause: 'schedule', details });
    const about = { ...(await this.aboutMail(tx, after, enforceAt)), obstacle };
    for (const to of await this.administratorsRepository.addresses(tx, after))
      await this.mailer.post(tx, postponementMail(to, about));
  }

  private async mailUsers(tx: Tx, provider: SsoProvider, enforceAt: Date): Promise<void> {
    const about = await this.aboutMail(tx, provider, enforceAt);
    for (const { email, linked } of await this.enforcementRepository.governed(tx, provider))
      if (!linked) await this.mailer.post(tx, enforcementMail(email, about));
    await this.ssoProvidersRepository.setEnforcementNotice(tx, provider.id, noticeBefore(enforceAt));
  }

  private async aboutMail(tx: Tx, provider: SsoProvider, enforceAt: Date) {
    return {
      baseUrl: this.baseUrl,
      loginUrl: loginUrlOf(provider),
      tenantName: await this.tenantNamesRepository.find(tx, provider),
      providerId: provider.id,
      providerName: provider.name,
      enforceAt,
    };
  }
}
