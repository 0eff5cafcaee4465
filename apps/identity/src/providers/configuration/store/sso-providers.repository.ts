import { ProblemError, type TenantScope, type UserCaller } from '@gatehouse/contracts-core';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type EnforcementColumn, SsoProvider } from './sso-provider.entity.ts';

const SELECT = 'SELECT p.* FROM sso_providers p';
const OLDEST_FIRST = 'ORDER BY p.created_at, p.id';
const TENANT = { partner: 'p.partner_id', org: 'p.org_id' };

const IS_DUE = `enforcement_stage = 'warn' AND (enforce_at <= now() OR enforcement_notice_at <= now())`;
const DUE = `SELECT id FROM sso_providers WHERE enforce_at IS NOT NULL AND ${IS_DUE} ORDER BY enforce_at LIMIT 100`;
/** Sign-ins go on while the mails are written. */
const TAKE_DUE = `SELECT * FROM sso_providers WHERE id = $1 AND ${IS_DUE} FOR NO KEY UPDATE SKIP LOCKED`;
const SET_NOTICE = 'UPDATE sso_providers SET enforcement_notice_at = $2 WHERE id = $1';

const notFound = (): ProblemError => new ProblemError('sso_provider_not_found', 'There is no such SSO provider.');

/** Only callers of the partner's level or above see a partner's own providers. */
const seesPartnerProviders = ({ level }: UserCaller): boolean => level !== 'organization';

/** The database sets the stage of enforcement by `enforceSso`. */
export type NewProvider = Omit<
  SsoProvider,
  'createdAt' | 'updatedAt' | 'enforceAt' | `enforcement${EnforcementColumn}`
>;

@Injectable()
export class SsoProvidersRepository {
  list(reader: Reader, scope: TenantScope, orgId: string | undefined): Promise<SsoProvider[]> {
    const conditions = scoped(scope, TENANT).raw('p.org_id IS NOT NULL').add('p.org_id = ?', orgId);
    return reader.query<SsoProvider>(`${SELECT} ${conditions.where} ${OLDEST_FIRST}`, conditions.parameters);
  }

  listOfPartner(reader: Reader, partnerId: string): Promise<SsoProvider[]> {
    return reader.query<SsoProvider>(`${SELECT} WHERE p.owner_partner_id = $1 ${OLDEST_FIRST}`, [partnerId]);
  }

  /** @throws ProblemError sso_provider_not_found, also for a provider of another tenant */
  async get(reader: Reader, caller: UserCaller, id: string): Promise<SsoProvider> {
    const reach = scoped(caller.scope, TENANT, [id]);
    const partnersOwn = seesPartnerProviders(caller)
      ? `p.owner_partner_id = ${reach.bind(caller.partnerId)}::uuid`
      : 'FALSE';
    const provider = await reader.one<SsoProvider>(
      `${SELECT} WHERE p.id = $1 AND ((TRUE${reach.and}) OR ${partnersOwn})`,
      reach.parameters,
    );
    if (!provider) throw notFound();
    return provider;
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
