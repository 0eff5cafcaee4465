import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { LinkOptionRecord } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

/** The active providers of the session's tenant, and whether the caller has an identity link at each. */
const OPTIONS = `
  SELECT p.id AS provider_id, p.name, p.type, l.id IS NOT NULL AS linked, l.email
    FROM sso_providers p LEFT JOIN sso_identity_links l ON l.provider_id = p.id AND l.user_id = $1
   WHERE p.status = 'active' AND p.partner_id = $2 AND p.org_id IS NOT DISTINCT FROM $3::uuid
   ORDER BY p.created_at, p.id`;
const VOUCHED_FOR = `SELECT id FROM sessions WHERE id = $1 AND provider_id = $2 AND mfa_via = 'idp'`;
const UNLINK = 'DELETE FROM sso_identity_links WHERE provider_id = $1 AND user_id = $2 RETURNING partner_id, org_id';

/** Lists and removes a user's own identity links. */
@Injectable()
export class OwnLinks {
  constructor(private readonly work: UnitOfWork) {}

  options(caller: UserCaller): Promise<LinkOptionRecord[]> {
    return this.work.read(caller, (reader) =>
      reader.query<LinkOptionRecord>(OPTIONS, [caller.userId, caller.partnerId, caller.orgId]),
    );
  }

  /** @throws ProblemError sso_provider_not_found for a provider that is not one of the caller's tenant */
  async option(caller: UserCaller, providerId: string): Promise<LinkOptionRecord> {
    const found = (await this.options(caller)).find((option) => option.providerId === providerId);
    if (!found) throw new ProblemError('sso_provider_not_found', 'There is no such SSO provider.');
    return found;
  }

  /**
   * A link asserts that the user proved the account, so a second factor that the same provider asserts does not count.
   * @throws ProblemError mfa_required
   */
  async requireOwnProof(caller: UserCaller, providerId: string): Promise<void> {
    const find = [caller.sessionId, providerId];
    const vouched = await this.work.read(caller, (reader) => reader.one(VOUCHED_FOR, find));
    if (vouched)
      throw new ProblemError(
        'mfa_required',
        'Show a second factor of your own first; that of the provider does not count here.',
      );
  }

  /** @throws ProblemError sso_link_not_found */
  unlink(caller: UserCaller, providerId: string): Promise<{ success: true }> {
    return this.work.run(caller, async (tx) => {
      const removed = await tx.one<{ partnerId: string; orgId: string | null }>(UNLINK, [providerId, caller.userId]);
      if (!removed)
        throw new ProblemError('sso_link_not_found', 'No identity of this provider is linked to your account.');
      tx.audit({
        action: 'sso.identity.unlink',
        resource: { type: 'user', id: caller.userId, name: caller.email },
        ...removed,
        details: { providerId },
      });
      return { success: true };
    });
  }
}
