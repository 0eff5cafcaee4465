import { type AuditEntry, type EventActor, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  type MetadataChangeListResponse,
  type MetadataChangeRecord,
  type MetadataChangeResponse,
  type MetadataFieldRecord,
  SsoMetadataChanged,
} from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import {
  type CertificateFact,
  decideMetadata,
  MAX_TRUSTED_CERTIFICATES,
  type MetadataProposal,
  type WatchedProvider,
} from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import type { X509Certificate } from 'node:crypto';
import { ProviderAlerts } from '../../mail/provider-alerts.ts';
import { requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { keyFault, requireStrongKeys, usableUntil } from '../configuration/certificates/certificate-keys.ts';
import { certificateRecordOf, readCertificates } from '../configuration/certificates/saml-certificates.ts';
import { changesIn, requireCertificatesUsable, trustChanges } from '../configuration/settings/provider-draft.ts';
import { requireMayChange } from '../configuration/settings/provider-owner.ts';
import { ProviderTrust } from '../configuration/settings/provider-trust.ts';
import { announceProvider } from '../configuration/sso-providers.service.ts';
import type { SsoProvider } from '../configuration/store/sso-provider.entity.ts';
import { SsoProvidersRepository } from '../configuration/store/sso-providers.repository.ts';
import { UpdateProvider } from '../configuration/update-provider.ts';
import type { DescribedProvider } from '../saml-metadata/saml-metadata.service.ts';
import {
  type DescribedSettings,
  type MetadataChangeEntity,
  MetadataChangesRepository,
  type NewMetadataChange,
} from './metadata-changes.repository.ts';

const WATCH: EventActor = { type: 'system', id: null, name: 'identity' };

const shaOf = (certificate: X509Certificate): string => certificateRecordOf(certificate).sha256;
const certificatesOf = ({ certificate }: Pick<SsoProvider, 'certificate'>): X509Certificate[] =>
  certificate ? readCertificates(certificate) : [];
const trustedIn = (settings: DescribedSettings): X509Certificate[] => settings.certificates.flatMap(readCertificates);
const shasIn = (settings: DescribedSettings): string[] => trustedIn(settings).map(shaOf);
const settingsWith = (
  { entityId, ssoUrl }: Pick<DescribedSettings, 'entityId' | 'ssoUrl'>,
  certificates: readonly X509Certificate[],
): DescribedSettings => {
  const inOrder = [...certificates].sort((a, b) => (shaOf(a) < shaOf(b) ? -1 : 1));
  return { entityId, ssoUrl, certificates: inOrder.map(String) };
};
/** Those in `list` that `other` lacks. */
const without = (list: readonly string[], other: readonly string[]): string[] =>
  list.filter((one) => !other.includes(one));
/** The certificates that a change adds or drops. */
const touchedBy = ({ before, after }: NewMetadataChange): string[] => {
  const [old, fresh] = [shasIn(before), shasIn(after)];
  return [...without(fresh, old), ...without(old, fresh)];
};

function fieldsOf({ before, after }: NewMetadataChange): MetadataFieldRecord[] {
  const addresses = (['entityId', 'ssoUrl'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, before: before[field], after: after[field] }));
  if (before.certificates.join('') === after.certificates.join('')) return addresses;
  const [old, fresh] = [before, after].map((one) => trustedIn(one).map(certificateRecordOf));
  return [...addresses, { field: 'certificates', before: old ?? [], after: fresh ?? [] }];
}

export function metadataChangeRecordOf(change: MetadataChangeEntity): MetadataChangeRecord {
  const { id, providerId, status, reason, detectedAt, settledAt, settledBy } = change;
  return {
    id,
    providerId,
    status,
    fields: fieldsOf(change),
    reason,
    detectedAt: detectedAt.toISOString(),
    settledAt: settledAt?.toISOString() ?? null,
    settledBy,
  };
}

const notFound = (): ProblemError => new ProblemError('metadata_change_not_found', 'There is no such metadata change.');

/**
 * Differences between a SAML provider's metadata and its settings, from their detection to their end (SSO-122 to
 * SSO-128).
 */
@Injectable()
export class MetadataChangesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly metadataChangesRepository: MetadataChangesRepository,
    private readonly updateProvider: UpdateProvider,
    private readonly providerTrust: ProviderTrust,
    private readonly providerAlerts: ProviderAlerts,
  ) {}

  list(caller: UserCaller, providerId: string): Promise<MetadataChangeListResponse> {
    return this.work.read(caller, async (reader) => {
      const { id } = await this.ssoProvidersRepository.get(reader, caller, providerId);
      return { data: (await this.metadataChangesRepository.list(reader, id)).map(metadataChangeRecordOf) };
    });
  }

  /** `POST /sso/metadata-changes/:id/apply`: the caller answers for the trust, as with any change of it. */
  apply(caller: UserCaller, id: string): Promise<MetadataChangeResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { change, provider } = await this.lock(tx, caller, id);
      if (change.status !== 'held') throw settled();
      const applied = await this.metadataChangesRepository.settle(tx, change, 'applied', caller.userId);
      const { entityId, ssoUrl, certificates } = change.after;
      const wanted = { entityId, ssoUrl, certificate: certificates.join('') || null };
      const changed = changesIn(provider, wanted);
      const isAdded = without(certificatesOf(provider).map(shaOf), shasIn(change.after)).length === 0;
      const keepsGeneration = isAdded && Object.keys(changed).join() === 'certificate';
      await this.updateProvider.apply(tx, caller, {
        current: provider,
        changes: keepsGeneration ? changed : { ...changed, ...testedAfter(provider, change.after) },
        keepsGeneration,
        force: false,
        confirmRelink: undefined,
      });
      this.tell(tx, provider, applied, { action: 'sso.provider.metadata_change.apply' });
      return { data: metadataChangeRecordOf(applied) };
    });
  }

  /**
   * `POST /sso/metadata-changes/:id/dismiss`: what a person dismissed is not offered or taken over again. An automatic
   * change is undone: the certificates that it added go, those that it dropped return.
   */
  dismiss(caller: UserCaller, id: string): Promise<MetadataChangeResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { change, provider } = await this.lock(tx, caller, id);
      if (change.status !== 'held' && change.status !== 'applied_automatically') throw settled();
      const dismissed = await this.metadataChangesRepository.settle(tx, change, 'dismissed', caller.userId);
      await this.metadataChangesRepository.decide(tx, provider.id, touchedBy(change));
      if (change.status === 'applied_automatically') await this.undo(tx, caller, provider, change);
      this.tell(tx, provider, dismissed, { action: 'sso.provider.metadata_change.dismiss' });
      return { data: metadataChangeRecordOf(dismissed) };
    });
  }

  private async lock(
    tx: Tx,
    caller: UserCaller,
    id: string,
  ): Promise<{ change: MetadataChangeEntity; provider: SsoProvider }> {
    const found = await this.metadataChangesRepository.find(tx, id);
    if (!found) throw notFound();
    const provider = await this.ssoProvidersRepository.lock(tx, caller, found.providerId).catch((error: unknown) => {
      throw error instanceof ProblemError && error.code === 'sso_provider_not_found' ? notFound() : error;
    });
    requireMayChange(caller, provider);
    await requireOpenOwner(tx, provider);
    const change = await this.metadataChangesRepository.find(tx, id);
    if (!change) throw notFound();
    return { change, provider };
  }

  /**
   * Who lets certificates return answers for them, as with any change of trust (SSO-131). Only those return that this
   * or a later automatic change dropped: a person may have replaced the others.
   */
  private async undo(tx: Tx, caller: UserCaller, provider: SsoProvider, change: MetadataChangeEntity): Promise<void> {
    const present = certificatesOf(provider);
    const added = without(shasIn(change.after), shasIn(change.before));
    const kept = present.filter((one) => !added.includes(shaOf(one)));
    const later = (await this.metadataChangesRepository.list(tx, provider.id)).filter(
      ({ id, status }) => id > change.id && status === 'applied_automatically',
    );
    const dropped = [change, ...later].flatMap(({ before, after }) => without(shasIn(before), shasIn(after)));
    const returning = trustedIn(change.before).filter(
      (one) => dropped.includes(shaOf(one)) && !kept.some((other) => shaOf(other) === shaOf(one)),
    );
    if (kept.length === present.length && returning.length === 0) return;
    if (returning.length > 0) await this.providerTrust.requireMayConfigure(tx, caller, provider);
    const trustedBy = returning.length > 0 ? caller.userId : provider.trustedBy;
    const certificates = [...kept, ...returning].slice(0, MAX_TRUSTED_CERTIFICATES);
    await this.change(tx, { ...provider, trustedBy }, settingsWith(provider, certificates));
  }

  /**
   * Takes in what a provider's metadata say.
   * @param provider locked
   * @returns the change that this made or that waits; null when there is no difference, or a person dismissed it
   */
  async observe(
    tx: Tx,
    { provider, now }: { readonly provider: SsoProvider; readonly now: Date },
    document: DescribedProvider,
  ): Promise<MetadataChangeEntity | null> {
    const held = await this.metadataChangesRepository.held(tx, provider.id);
    const known = [...certificatesOf(provider), ...document.certificates];
    const proposal = decideMetadata(watchedOf(provider), contentOf(document, provider), now.getTime());
    if (!proposal) {
      if (held && held.reason !== 'pasted') await this.ssoProvidersRepository.supersedeHeldChange(tx, provider.id);
      return null;
    }
    const found = changeOf(provider, proposal, known);
    if (held && isSame(held, found)) return held;
    if (!proposal.isAutomatic && (await this.metadataChangesRepository.isDismissed(tx, provider.id, found)))
      return null;
    return this.detect(tx, provider, found);
  }

  /**
   * A certificate that an administrator has at hand is added beside a trusted one that is valid; otherwise it waits as
   * a change with the reason `pasted` (SSO-128), and so does one that a person dismissed before.
   * @param provider locked, by a caller who may change it
   * @param trustedBy the administrator who answers for the certificate
   * @returns the change that waits, or null when the certificate is trusted now
   */
  async paste(
    tx: Tx,
    provider: SsoProvider,
    text: string,
    trustedBy = provider.trustedBy,
  ): Promise<MetadataChangeEntity | null> {
    const trusted = certificatesOf(provider);
    const pasted = newIn(text, trusted.map(shaOf));
    if (pasted.length === 0) return null;
    const valid = trusted.filter((one) => usableUntil(one, provider.weakKeysUntil) > Date.now());
    const isDismissed = pasted.some((one) => provider.decidedCertificates.includes(shaOf(one)));
    if (!isDismissed && valid.length > 0 && valid.length + pasted.length <= MAX_TRUSTED_CERTIFICATES) {
      await this.change(tx, { ...provider, trustedBy }, settingsWith(provider, [...valid, ...pasted]));
      return null;
    }
    const proven = valid.find((one) => provider.verifiedCertificates.includes(shaOf(one))) ?? valid[0];
    const wanted = [...pasted, ...(proven ? [proven] : [])].slice(0, MAX_TRUSTED_CERTIFICATES);
    const [before, after] = [settingsWith(provider, trusted), settingsWith(provider, wanted)];
    const found = { status: 'held', reason: 'pasted', before, after } as const;
    const held = await this.metadataChangesRepository.held(tx, provider.id);
    return held && isSame(held, found) ? held : this.detect(tx, provider, found, held);
  }

  /**
   * Stores a change, and applies it unless it is held.
   * @param held the change that it replaces: however often a person pastes, administrators are told once
   */
  private async detect(
    tx: Tx,
    provider: SsoProvider,
    found: NewMetadataChange,
    held: MetadataChangeEntity | null = null,
  ): Promise<MetadataChangeEntity> {
    await this.ssoProvidersRepository.supersedeHeldChange(tx, provider.id);
    const change = await this.metadataChangesRepository.insert(tx, provider, found);
    const actor = found.reason === 'pasted' ? {} : { actor: WATCH };
    this.tell(tx, provider, change, { action: 'sso.provider.metadata_change.detect', ...actor });
    if (found.status === 'applied_automatically') {
      const after = await this.change(tx, provider, found.after, WATCH);
      if (after.configVersion !== provider.configVersion)
        await this.metadataChangesRepository.carryAttempts(tx, provider, after);
    }
    const kind = found.status === 'held' ? 'held' : 'taken_over';
    if (held?.reason !== 'pasted') await this.providerAlerts.post(tx, provider, { kind, reason: found.reason });
    return change;
  }

  /** Adding a certificate keeps the generation; any other change starts a new one (SSO-127). */
  private async change(
    tx: Tx,
    before: SsoProvider,
    settings: DescribedSettings,
    actor?: EventActor,
  ): Promise<SsoProvider> {
    const dropped = without(certificatesOf(before).map(shaOf), shasIn(settings));
    const after = await this.ssoProvidersRepository.update(tx, before, {
      certificate: settings.certificates.join('') || null,
      trustedBy: before.trustedBy,
      ...(dropped.length > 0 && { configVersion: before.configVersion + 1, ...testedAfter(before, settings) }),
    });
    announceProvider(tx, after);
    tx.audit({
      action: 'sso.provider.update',
      resource: { type: 'sso_provider', id: after.id, name: after.name },
      partnerId: after.partnerId,
      orgId: after.orgId,
      ...(actor && { actor }),
      details: { changedFields: ['certificate'], changes: trustChanges(before, after) },
    });
    return after;
  }

  private tell(
    tx: Tx,
    { name, partnerId, orgId }: SsoProvider,
    change: MetadataChangeEntity,
    entry: Pick<AuditEntry, 'actor'> & {
      readonly action: `sso.provider.metadata_change.${'detect' | 'apply' | 'dismiss'}`;
    },
  ): void {
    const { id: changeId, providerId, status, reason } = change;
    const fields = fieldsOf(change).map(({ field }) => field);
    tx.audit({
      ...entry,
      resource: { type: 'sso_provider', id: providerId, name },
      partnerId,
      orgId,
      details: { changeId, status, reason, fields },
    });
    const data = { providerId, partnerId, orgId, changeId, status, fields };
    tx.emit(SsoMetadataChanged, data, { aggregateId: providerId, ...(entry.actor && { actor: entry.actor }) });
  }
}

/** The certificates that a person pastes, without those that are trusted. */
function newIn(text: string, trusted: readonly string[]): X509Certificate[] {
  requireCertificatesUsable(() => requireStrongKeys(text, null));
  const pasted = readCertificates(text).filter((one) => !trusted.includes(shaOf(one)));
  if (pasted.some((one) => usableUntil(one, null) <= Date.now()))
    throw new ProblemError('saml_configuration_invalid', 'The certificate has expired.');
  return pasted;
}

const settled = (): ProblemError =>
  new ProblemError('metadata_change_settled', 'This change has already been applied, dismissed or replaced.');

const isSame = (a: NewMetadataChange, b: NewMetadataChange): boolean =>
  a.status === b.status && JSON.stringify(fieldsOf(a)) === JSON.stringify(fieldsOf(b));

/** A tested configuration stays tested where a certificate that remains has verified a sign-in. */
function testedAfter(
  { configVersion, testedVersion, entityId, verifiedCertificates }: SsoProvider,
  settings: DescribedSettings,
): Partial<SsoProvider> {
  const isProven = shasIn(settings).some((sha256) => verifiedCertificates.includes(sha256));
  const staysTested = testedVersion === configVersion && entityId === settings.entityId && isProven;
  return staysTested ? { testedVersion: configVersion + 1 } : {};
}

const watchedOf = (provider: SsoProvider): WatchedProvider => ({
  ...provider,
  certificates: certificatesOf(provider).map((one) => factOf(one, provider)),
  verified: provider.verifiedCertificates,
  decided: provider.decidedCertificates,
});

const factOf = (
  certificate: X509Certificate,
  { weakKeysUntil }: Pick<SsoProvider, 'weakKeysUntil'>,
): CertificateFact => ({
  sha256: shaOf(certificate),
  validUntil: usableUntil(certificate, weakKeysUntil),
});

/** A weak key counts only where it is trusted already. */
function contentOf(
  { entityId, ssoUrl, certificates }: DescribedProvider,
  provider: SsoProvider,
): Parameters<typeof decideMetadata>[1] {
  const trusted = certificatesOf(provider).map(shaOf);
  const usable = certificates.filter((one) => keyFault(one) === null || trusted.includes(shaOf(one)));
  return { entityId, ssoUrl, certificates: usable.map((one) => factOf(one, provider)) };
}

function changeOf(
  provider: SsoProvider,
  { isAutomatic, reason, certificates, ...addresses }: MetadataProposal,
  known: readonly X509Certificate[],
): NewMetadataChange {
  const chosen = certificates.flatMap((sha256) => known.find((one) => shaOf(one) === sha256) ?? []);
  return {
    status: isAutomatic ? 'applied_automatically' : 'held',
    reason,
    before: settingsWith(provider, certificatesOf(provider)),
    after: settingsWith(addresses, chosen),
  };
}
