import { asService, changesOf, type UserCaller } from '@gatehouse/contracts-core';
import {
  type ExpiryKind,
  type ExpiryListResponse,
  type ExpiryRecord,
  type ListExpiriesQuery,
  SsoProviderExpiryNoticed,
  type SsoSettingsDto,
  type SsoSettingsQuery,
  type SsoSettingsResponse,
} from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { ProviderAlerts, type RenewalLink } from '../../mail/provider-alerts.ts';
import { usableUntil } from '../configuration/certificates/certificate-keys.ts';
import { readCertificates } from '../configuration/certificates/saml-certificates.ts';
import { ProviderOwner } from '../configuration/settings/provider-owner.ts';
import type { SsoProvider } from '../configuration/store/sso-provider.entity.ts';
import { SsoProvidersRepository } from '../configuration/store/sso-providers.repository.ts';
import { ExpiriesRepository } from './expiries.repository.ts';

const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
const DEFAULT_DAYS = 30;
const MAX_LISTED = 1_000;
/** Days before the end at which administrators are told. */
const NOTICES = [30, 14, 7, 1] as const;

interface Expiry {
  readonly kind: ExpiryKind;
  readonly expiresAt: Date;
}

/** A SAML provider works until the later of its certificates runs out. */
function expiriesOf({ type, certificate, weakKeysUntil, clientSecretExpiresAt }: SsoProvider): Expiry[] {
  const ends =
    type === 'saml' && certificate ? readCertificates(certificate).map((one) => usableUntil(one, weakKeysUntil)) : [];
  return [
    ...(ends.length > 0 ? [{ kind: 'certificate' as const, expiresAt: new Date(Math.max(...ends)) }] : []),
    ...(type === 'oidc' && clientSecretExpiresAt
      ? [{ kind: 'client_secret' as const, expiresAt: clientSecretExpiresAt }]
      : []),
  ];
}

/** Each begun day counts; 0 once it has run out. */
const daysLeft = ({ expiresAt }: Expiry, now: Date): number =>
  Math.max(0, Math.ceil((expiresAt.getTime() - now.getTime()) / DAY_MS));

export abstract class RenewalLinks {
  /** @returns null where an alert comes without a link */
  abstract createForAlert(tx: Tx, provider: SsoProvider): Promise<RenewalLink | null>;
}

/** What runs out, who is told of it, and how (SSO-129 to SSO-132). */
@Injectable()
export class ExpiriesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly expiriesRepository: ExpiriesRepository,
    private readonly providerOwner: ProviderOwner,
    private readonly providerAlerts: ProviderAlerts,
    private readonly renewalLinks: RenewalLinks,
  ) {}

  list(caller: UserCaller, { withinDays = DEFAULT_DAYS, orgId }: ListExpiriesQuery): Promise<ExpiryListResponse> {
    return this.work.read(caller, async (reader) => {
      const now = await this.expiriesRepository.now(reader);
      const providers = await this.ssoProvidersRepository.expiring(reader, caller, orgId);
      const data = providers
        .flatMap((provider) => expiriesOf(provider).map((expiry) => recordOf(provider, expiry, now)))
        .filter((one) => one.daysLeft <= withinDays)
        .sort((a, b) => (a.expiresAt < b.expiresAt ? -1 : 1));
      return { data: data.slice(0, MAX_LISTED) };
    });
  }

  @Every(HOUR_MS, 'alerts about certificates and secrets')
  notice(): Promise<void> {
    return this.noticeAt(null);
  }

  /** @param at null: now, by the clock of the database */
  async noticeAt(at: Date | null): Promise<void> {
    const self = asService('identity');
    const { now, providers } = await this.work.backgroundRead(self, async (reader) => ({
      now: at ?? (await this.expiriesRepository.now(reader)),
      providers: await this.expiriesRepository.watched(reader),
    }));
    for (const provider of providers)
      for (const expiry of expiriesOf(provider))
        if (daysLeft(expiry, now) <= NOTICES[0]) await this.tell(provider, expiry, now);
  }

  /** Notices that a stopped service missed count as sent: the administrators get the one that fits. */
  private async tell(provider: SsoProvider, expiry: Expiry, now: Date): Promise<void> {
    const left = daysLeft(expiry, now);
    const due = NOTICES.filter((days) => left <= days);
    await this.work.background(asService('identity'), async (tx) => {
      const fresh = await this.expiriesRepository.note(tx, provider, expiry, due);
      if (!fresh.includes(Math.min(...due))) return;
      const { id, partnerId, orgId } = provider;
      const expiresAt = expiry.expiresAt.toISOString();
      const data = { providerId: id, partnerId, orgId, kind: expiry.kind, daysLeft: left, expiresAt };
      tx.emit(SsoProviderExpiryNoticed, data, { aggregateId: id });
      const wanted = await this.expiriesRepository.renewLinkInAlerts(tx, provider);
      const renewal = wanted ? await this.renewalLinks.createForAlert(tx, provider) : null;
      await this.providerAlerts.post(tx, provider, { ...expiry, daysLeft: left }, renewal);
    });
  }

  getSettings(caller: UserCaller, { orgId, scope }: SsoSettingsQuery): Promise<SsoSettingsResponse> {
    return this.work.read(caller, async (reader) => {
      const owner = await this.providerOwner.named(reader, caller, { orgId, ownerScope: scope });
      return { data: { renewLinkInAlerts: await this.expiriesRepository.renewLinkInAlerts(reader, owner) } };
    });
  }

  setSettings(
    caller: UserCaller,
    { orgId, scope }: SsoSettingsQuery,
    { renewLinkInAlerts }: SsoSettingsDto,
  ): Promise<SsoSettingsResponse> {
    return this.work.run(caller, async (tx) => {
      const owner = await this.providerOwner.choose(tx, caller, { orgId, ownerScope: scope });
      const before = { renewLinkInAlerts: await this.expiriesRepository.renewLinkInAlerts(tx, owner) };
      const data = { renewLinkInAlerts };
      if (before.renewLinkInAlerts === renewLinkInAlerts) return { data };
      await this.expiriesRepository.setRenewLinkInAlerts(tx, owner, renewLinkInAlerts);
      tx.audit({
        action: 'sso.settings.update',
        resource: { type: 'sso_settings', id: owner.orgId ?? owner.partnerId },
        ...owner,
        details: { changes: changesOf(before, data, ['renewLinkInAlerts']) },
      });
      return { data };
    });
  }
}

const recordOf = ({ id, name, partnerId, orgId }: SsoProvider, expiry: Expiry, now: Date): ExpiryRecord => ({
  kind: expiry.kind,
  providerId: id,
  providerName: name,
  orgId,
  partnerId,
  expiresAt: expiry.expiresAt.toISOString(),
  daysLeft: daysLeft(expiry, now),
});
