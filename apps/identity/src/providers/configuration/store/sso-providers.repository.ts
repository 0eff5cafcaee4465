import { ProblemError, type TenantScope, type UserCaller } from '@gatehouse/contracts-core';
import { type Conditions, type Reader, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { livingWithin } from '../../../tenants/tenant-refs/tenant-refs.repository.ts';
import { type EnforcementColumn, SsoProvider } from './sso-provider.entity.ts';

const SELECT = 'SELECT p.* FROM sso_providers p';
const OLDEST_FIRST = 'ORDER BY p.created_at, p.id';
const TENANT = { partner: 'p.partner_id', org: 'p.org_id' };

const IS_DUE = `enforcement_stage = 'warn' AND (enforce_at <= now() OR enforcement_notice_at <= now())`;
const DUE = `SELECT id FROM sso_providers WHERE enforce_at IS NOT NULL AND ${IS_DUE} ORDER BY enforce_at LIMIT 100`;
/** Sign-ins go on while the mails are written. */
const TAKE_DUE = `SELECT * FROM sso_providers WHERE id = $1 AND ${IS_DUE} FOR NO KEY UPDATE SKIP LOCKED`;
const SET_NOTICE = 'UPDATE sso_providers SET enforcement_notice_at = $2 WHERE id = $1';
const SUPERSEDE = `
  WITH outdated AS (UPDATE sso_metadata_changes SET status = 'superseded', settled_at = now()
                     WHERE provider_id = $1 AND status = 'held' RETURNING provider_id)
  UPDATE sso_providers SET pending_change_id = NULL WHERE id IN (SELECT provider_id FROM outdated)`;

const notFound = (): ProblemError => new ProblemError('sso_provider_not_found', 'There is no such SSO provider.');

/** Only callers of the partner's level or above see a partner's own providers. */
const seesPartnerProviders = ({ level }: UserCaller): boolean => level !== 'organization';

/** The database sets the stage of enforcement by `enforceSso`. */
export type NewProvider = Omit<
  SsoProvider,
  'createdAt' | 'updatedAt' | 'enforceAt' | `enforcement${EnforcementColumn}`
>;
/** The rows in the caller's scope, and the providers of their partner itself. */
function withPartnersOwn(caller: UserCaller, reach: Conditions): string {
  const own = seesPartnerProviders(caller) ? `p.owner_partner_id = ${reach.bind(caller.partnerId)}::uuid` : 'FALSE';
  return `((TRUE${reach.and}) OR ${own})`;
}

@Injectable()
export class SsoProvidersRepository {
  list(reader: Reader, scope: TenantScope, orgId: string | undefined): Promise<SsoProvider[]> {
    const conditions = livingWithin(scope, TENANT).raw('p.org_id IS NOT NULL').add('p.org_id = ?', orgId);
    return reader.query<SsoProvider>(`${SELECT} ${conditions.where} ${OLDEST_FIRST}`, conditions.parameters);
  }

  listOfPartner(reader: Reader, partnerId: string): Promise<SsoProvider[]> {
    return reader.query<SsoProvider>(`${SELECT} WHERE p.owner_partner_id = $1 ${OLDEST_FIRST}`, [partnerId]);
  }

  /** @throws ProblemError sso_provider_not_found, also for a provider of another tenant */
  async get(reader: Reader, caller: UserCaller, id: string): Promise<SsoProvider> {
    const reach = livingWithin(caller.scope, TENANT, [id]);
    const provider = await reader.one<SsoProvider>(
      `${SELECT} WHERE p.id = $1 AND ${withPartnersOwn(caller, reach)}`,
      reach.parameters,
    );
    if (!provider) throw notFound();
    return provider;
  }

  /** @returns our certificate with which a SAML provider encrypts, null without one; undefined without that provider */
  async encryptionCertificate(reader: Reader, id: string): Promise<string | null | undefined> {
    const sql = `SELECT encryption_certificate AS pem FROM sso_providers WHERE id = $1 AND type = 'saml'`;
    return (await reader.one<{ pem: string | null }>(sql, [id]))?.pem;
  }

  /** The providers in reach whose certificate or secret can run out. */
  expiring(reader: Reader, caller: UserCaller, orgId: string | undefined): Promise<SsoProvider[]> {
    const reach = livingWithin(caller.scope, TENANT, [orgId ?? null]);
    return reader.query<SsoProvider>(
      `${SELECT} WHERE (p.certificate IS NOT NULL OR p.client_secret_expires_at IS NOT NULL)
        AND ($1::uuid IS NULL OR p.org_id = $1::uuid) AND ${withPartnersOwn(caller, reach)}`,
      reach.parameters,
    );
  }

  /**
   * Locks the provider. The lock waits for sign-ins that are being stored, so that a change also ends the sessions they
   * opened; later sign-ins wait for the change and then find another configuration generation.
   */
  async lock(tx: Tx, caller: UserCaller, id: string): Promise<SsoProvider> {
    await tx.query('SELECT id FROM sso_providers WHERE id = $1 FOR UPDATE', [id]);
    return this.get(tx, caller, id);
  }

  async insert(tx: Tx, provider: NewProvider): Promise<SsoProvider> {
    await tx.manager.save(SsoProvider, tx.manager.create(SsoProvider, provider), { transaction: false });
    return tx.manager.findOneByOrFail(SsoProvider, { id: provider.id });
  }

  /**
   * Applies changes only to the configuration generation from which they were computed.
   * @throws ProblemError conflict when another change came first
   */
  async update(tx: Tx, { id, configVersion }: SsoProvider, changes: Partial<SsoProvider>): Promise<SsoProvider> {
    const { affected } = await tx.manager.update(
      SsoProvider,
      { id, configVersion },
      { ...changes, version: () => 'version + 1' },
    );
    if (affected !== 1)
      throw new ProblemError('conflict', 'The provider was changed or deleted in the meantime; load it again.');
    return tx.manager.findOneByOrFail(SsoProvider, { id });
  }

  /** Ends the change of metadata that waits for approval, since another change came first. */
  async supersedeHeldChange(tx: Tx, providerId: string): Promise<void> {
    await tx.query(SUPERSEDE, [providerId]);
  }

  async delete(tx: Tx, { id }: SsoProvider): Promise<void> {
    await tx.query('DELETE FROM sso_providers WHERE id = $1', [id]);
  }

  /** The providers whose date of enforcement has come, or a mail about it. */
  async dueForEnforcement(reader: Reader): Promise<string[]> {
    return (await reader.query<{ id: string }>(DUE)).map(({ id }) => id);
  }

  /** Locks such a provider. @returns null when it is not due any more, or another replica has it */
  takeDue(tx: Tx, id: string): Promise<SsoProvider | null> {
    return tx.one<SsoProvider>(TAKE_DUE, [id]);
  }

  async setEnforcementNotice(tx: Tx, id: string, at: Date | null): Promise<void> {
    await tx.query(SET_NOTICE, [id, at]);
  }
}

export type StoredCertificates = Pick<SsoProvider, 'weakKeysUntil'> & { readonly certificate: string };

const ACTIVE = `
  SELECT certificate, weak_keys_until FROM sso_providers
   WHERE type = 'saml' AND status = 'active' AND certificate IS NOT NULL`;

/** The certificates of every active SAML provider, for the service's metrics. */
export const activeSamlCertificates = (reader: Reader): Promise<StoredCertificates[]> =>
  reader.query<StoredCertificates>(ACTIVE);
