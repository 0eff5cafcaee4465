import type { Reader, Tx } from '@gatehouse/database';
import type { AccessLevel } from '@gatehouse/contracts-core';
import type { MembershipChoiceRecord, MfaMethod, SsoProtocol } from '@gatehouse/contracts-identity';
import { Injectable } from '@nestjs/common';
import { FactorsRepository } from './factors.repository.ts';

/** Everything that sign-in needs to know about a user. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly status: 'invited' | 'active' | 'suspended';
  readonly breakGlass: boolean;
  readonly passwordHash: string | null;
  readonly locked: boolean;
  /** No membership accepts a password: an identity provider signs the user in to each of them. */
  readonly governed: boolean;
  readonly memberships: readonly LiveMembership[];
  readonly methods: readonly MfaMethod[];
}

export interface LiveMembership extends MembershipChoiceRecord {
  readonly scope: AccessLevel;
  /** This membership does not accept a password: its owner enforces single sign-on. */
  readonly governed: boolean;
  /** The provider whose owner counts passwords, or has announced that it will refuse them. */
  readonly upcoming: UpcomingEnforcement | null;
}

export interface UpcomingEnforcement {
  readonly name: string;
  readonly type: SsoProtocol;
  readonly partnerId: string;
  readonly orgId: string | null;
  /** Null while it only counts. */
  readonly enforceAt: string | null;
}

type StoredAccount = Omit<Account, 'governed' | 'memberships' | 'methods'>;

/** Queried in place of an unknown user, so that the response takes equally long. */
const NO_USER = '00000000-0000-0000-0000-000000000000';

const USER = `
  SELECT u.id, u.email, u.name, u.status, u.break_glass, c.password_hash,
    coalesce(c.locked_until > now(), false) AS locked
    FROM users u LEFT JOIN credentials c ON c.user_id = u.id`;
const BY_EMAIL = `${USER} WHERE u.email = $1`;
const BY_ID = `${USER} WHERE u.id = $1`;
const MEMBERSHIPS = `
  SELECT id, level AS scope, partner_id, partner_name, org_id, org_name, role_name AS role,
    is_membership_governed(id) AS governed,
    (SELECT jsonb_build_object('name', p.name, 'type', p.type, 'partnerId', p.partner_id, 'orgId', p.org_id,
       'enforceAt', p.enforce_at) FROM sso_providers p
      WHERE p.partner_id = m.partner_id AND p.org_id IS NOT DISTINCT FROM m.org_id AND p.status = 'active'
        AND p.enforcement_stage IN ('observe', 'warn') ORDER BY p.enforce_at LIMIT 1) AS upcoming
    FROM live_memberships m WHERE user_id = $1 ORDER BY partner_name NULLS FIRST, org_name NULLS FIRST, id`;

/** Reads users across tenants, for identity itself before a user is signed in. */
@Injectable()
export class AccountsRepository {
  constructor(private readonly factorsRepository: FactorsRepository) {}

  async byEmail(reader: Reader, foldedEmail: string): Promise<Account | null> {
    return this.complete(reader, await reader.one<StoredAccount>(BY_EMAIL, [foldedEmail]));
  }

  async byId(reader: Reader, userId: string): Promise<Account | null> {
    return this.complete(reader, await reader.one<StoredAccount>(BY_ID, [userId]));
  }

  /** Runs the same statements whether or not the user exists. */
  private async complete(reader: Reader, user: StoredAccount | null): Promise<Account | null> {
    const id = user?.id ?? NO_USER;
    const memberships = await reader.query<LiveMembership>(MEMBERSHIPS, [id]);
    const methods = await this.factorsRepository.methodsOf(reader, id);
    const governed = memberships.length > 0 && memberships.every((membership) => membership.governed);
    return user && { ...user, governed, memberships, methods };
  }
}

interface InTenant {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/** The tenant whose audit log records an action on the user: that of the first membership. */
export function tenantOf(memberships: readonly InTenant[] = []): InTenant {
  const [{ partnerId, orgId } = { partnerId: null, orgId: null }] = memberships;
  return { partnerId, orgId };
}

/** Records a failed sign-in. The reason goes to the audit log only; no response contains it. */
export function recordLoginFailure(tx: Tx, account: Account | null, details: Readonly<Record<string, unknown>>): void {
  const resource = { type: 'user', id: account?.id ?? null, name: account?.email ?? null };
  tx.audit({ action: 'user.login_failed', resource, result: 'failure', ...tenantOf(account?.memberships), details });
}
