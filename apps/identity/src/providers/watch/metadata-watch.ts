import { asService, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { MetadataRefreshResponse } from '@gatehouse/contracts-identity';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Every, LOGGER, type Logger } from '@gatehouse/service';
import { Metrics } from '@gatehouse/telemetry';
import { Inject, Injectable } from '@nestjs/common';
import { IdentityConfig } from '../../identity.config.ts';
import { ProviderAlerts } from '../../mail/provider-alerts.ts';
import { requireOpenOwner } from '../../tenants/tenant-refs/tenant-refs.repository.ts';
import { pemsOf } from '../configuration/certificates/saml-certificates.ts';
import { requireMayChange } from '../configuration/settings/provider-owner.ts';
import type { SsoProvider } from '../configuration/store/sso-provider.entity.ts';
import { SsoProvidersRepository } from '../configuration/store/sso-providers.repository.ts';
import { type DescribedProvider, SamlMetadataService } from '../saml-metadata/saml-metadata.service.ts';
import { ExpiriesRepository } from './expiries.repository.ts';
import { type MetadataChangeEntity, MetadataChangesRepository } from './metadata-changes.repository.ts';
import { metadataChangeRecordOf, MetadataChangesService } from './metadata-changes.service.ts';

const EVERY_MS = 10 * 60_000;
const MAX_ERROR = 1_000;

/** Reads the metadata of SAML providers every few hours, so that the next certificate is known before it signs. */
@Injectable()
export class MetadataWatch {
  private readonly failures;

  constructor(
    private readonly work: UnitOfWork,
    private readonly config: IdentityConfig,
    private readonly ssoProvidersRepository: SsoProvidersRepository,
    private readonly metadataChangesRepository: MetadataChangesRepository,
    private readonly metadataChanges: MetadataChangesService,
    private readonly expiriesRepository: ExpiriesRepository,
    private readonly samlMetadata: SamlMetadataService,
    private readonly providerAlerts: ProviderAlerts,
    @Inject(LOGGER) private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.failures = metrics.counter(
      'gatehouse_saml_metadata_failures_total',
      'Checks of the metadata of SAML providers that failed, by reason',
      { reason: ['saml_metadata_invalid', 'saml_metadata_unreachable'] },
    );
  }

  /**
   * `POST /sso/providers/:id/metadata/refresh`: a failure is recorded as that of a regular check is, and is not kept
   * for a repeated request.
   */
  async refresh(caller: UserCaller, id: string): Promise<MetadataRefreshResponse> {
    const known = await this.work.recalled<MetadataRefreshResponse>(caller, caller.idempotency);
    if (known) return known.result;
    const provider = await this.work.read(caller, async (reader) => {
      const found = await this.ssoProvidersRepository.get(reader, caller, id);
      requireMayChange(caller, found);
      await requireOpenOwner(reader, found);
      return found;
    });
    const outcome = await this.read(provider);
    const change = await this.work.run(asService('identity', caller.origin), (tx) => this.take(tx, provider, outcome));
    if (outcome instanceof ProblemError) throw outcome;
    const data = { changed: change !== null, change: change && metadataChangeRecordOf(change) };
    return this.work.once(caller, caller.idempotency, () => Promise.resolve({ data }));
  }

  @Every(EVERY_MS, 'metadata of SAML providers')
  async check(): Promise<void> {
    const due = await this.work.background(asService('identity'), (tx) =>
      this.metadataChangesRepository.takeDue(tx, this.config.ssoMetadataHours),
    );
    for (const provider of due) {
      const outcome = await this.read(provider);
      await this.work.background(asService('identity'), (tx) => this.take(tx, provider, outcome));
    }
  }

  private async read({ id, metadataUrl, certificate }: SsoProvider): Promise<DescribedProvider | ProblemError> {
    if (!metadataUrl) return new ProblemError('saml_metadata_unreachable', 'The provider has no metadata address.');
    try {
      return await this.samlMetadata.describe(metadataUrl, id, certificate ? pemsOf(certificate) : []);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      this.log.warn({ err: error, provider: id }, 'the metadata of a SAML provider cannot be used');
      return error;
    }
  }

  private async take(
    tx: Tx,
    { id, metadataUrl }: SsoProvider,
    outcome: DescribedProvider | ProblemError,
  ): Promise<MetadataChangeEntity | null> {
    const locked = await this.metadataChangesRepository.lock(tx, id);
    if (!locked || metadataUrl === null || locked.provider.metadataUrl !== metadataUrl) return null;
    const error = outcome instanceof ProblemError ? outcome.message.slice(0, MAX_ERROR) : null;
    const { since, lasting } = await this.metadataChangesRepository.checked(tx, id, error);
    if (!(outcome instanceof ProblemError)) return this.metadataChanges.observe(tx, locked, outcome);
    this.failures.inc({ reason: outcome.code });
    if (since && lasting) await this.tellFailing(tx, locked.provider, since, outcome.message);
    return null;
  }

  private async tellFailing(tx: Tx, provider: SsoProvider, since: Date, error: string): Promise<void> {
    const alert = { kind: 'metadata' as const, expiresAt: since };
    const fresh = await this.expiriesRepository.note(tx, provider, alert, [0]);
    if (fresh.length > 0) await this.providerAlerts.post(tx, provider, { kind: 'unreachable', since, error });
  }
}
