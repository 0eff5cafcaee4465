import { asService, type Caller, ProblemError, type ServiceCaller } from '@gatehouse/contracts-core';
import type { AcceptInviteDto, LoginResponse } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { onConstraint, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';
import { ContinuePasswordSignIn } from '../sign-in/continue-password-sign-in.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { requireBreakGlassRoom } from '../memberships/break-glass.ts';
import { JoinTenant } from '../memberships/join-tenant.ts';
import { InvitedPassword, wrongPassword } from './invited-password.ts';
import { ACCEPTED, type Accepted, CreateInvitedUser } from './create-invited-user.ts';

const VALID = 'm.token_hash = $1 AND m.expires_at > now() AND NOT m.suspended AND is_offer_backed(m.id)';
const FIND = `
  SELECT m.email, EXISTS (SELECT FROM sso_providers p WHERE p.status = 'active' AND p.enforce_sso AND p.partner_id = m.partner_id
           AND CASE m.level WHEN 'organization' THEN p.org_id = m.org_id ELSE p.owner_partner_id = m.partner_id END) AS enforced
    FROM membership_offers m WHERE ${VALID}`;
const CONSUME = `DELETE FROM membership_offers m WHERE ${VALID} RETURNING ${ACCEPTED}`;

interface Acceptance {
  readonly tokenHash: string;
  readonly account: Account | null;
  /** Null when the user proved the account's existing password, undefined when no password is needed. */
  readonly newHash: string | null | undefined;
  readonly name?: string;
}

const invalidInvitation = (): ProblemError =>
  new ProblemError('invitation_invalid', 'This invitation is not valid any more; ask for another.');
const throughProvider = (): ProblemError =>
  new ProblemError('sso_enforced', 'Your organisation signs in through its identity provider; use that.');
const roleGone = onConstraint({ membership_role: invalidInvitation });

/**
 * POST /auth/accept-invite: accepts the offered membership and signs in to it. A user without an account gets one, with
 * a first password; a user who has a password must enter it. Enforcement of single sign-on in other tenants does not
 * matter here.
 */
@Injectable()
export class AcceptInvitation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountsRepository,
    private readonly passwords: InvitedPassword,
    private readonly continuePasswordSignIn: ContinuePasswordSignIn,
    private readonly joining: JoinTenant,
    private readonly newcomers: CreateInvitedUser,
  ) {}

  async execute(caller: Caller, { token, password, name }: AcceptInviteDto): Promise<LoginResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(token);
    const { enforced, account } = await this.work.read(service, async (reader) => {
      const offer = await reader.one<{ email: string; enforced: boolean }>(FIND, [tokenHash]);
      if (!offer) throw invalidInvitation();
      return { ...offer, account: await this.accounts.byEmail(reader, offer.email) };
    });
    const newHash = await this.prove(service, { enforced, account, password });
    const answer = await this.work.run(service, (tx) => this.accept(tx, { tokenHash, account, newHash, name }));
    if (answer instanceof ProblemError) throw answer;
    return answer;
  }

  /**
   * @returns the hash of a first password; null when the user proved the account's existing password; undefined when a
   * provider signs the user in
   * @throws ProblemError invitation_invalid, sso_enforced, invalid_credentials, password_too_common, rate_limited
   */
  private async prove(
    service: ServiceCaller,
    { enforced, account, password }: { enforced: boolean; account: Account | null; password: string },
  ): Promise<string | null | undefined> {
    if (account?.status === 'suspended') throw invalidInvitation();
    if (enforced && !account) throw throughProvider();
    const hasOnlyProvider = enforced && account?.passwordHash === null && !account.breakGlass;
    return hasOnlyProvider ? undefined : this.passwords.judge(service, account, password);
  }

  /** @returns a problem, instead of throwing it, when changes must be committed although the request fails */
  private async accept(
    tx: Tx,
    { tokenHash, account, newHash, name }: Acceptance,
  ): Promise<LoginResponse | ProblemError> {
    if (account && newHash === null && !(await this.passwords.admit(tx, account))) return wrongPassword();
    const offer = await tx.one<Accepted>(CONSUME, [tokenHash]);
    if (!offer) throw invalidInvitation();
    await requireNotFrozen(tx, offer.orgId);
    const userId = await this.join(tx, account, { ...offer, name: account ? offer.name : (name ?? offer.name) }).catch(
      roleGone,
    );
    if (newHash) await this.passwords.store(tx, userId, newHash);
    return this.arrive(tx, await this.accounts.byId(tx, userId), offer);
  }

  /** @returns the id of the user who owns the membership */
  private async join(tx: Tx, account: Account | null, offer: Accepted): Promise<string> {
    if (!account) return this.newcomers.execute(tx, offer);
    if (offer.takenAt === null) await this.joining.execute(tx, account.id, { ...offer, id: offer.membershipId });
    return account.id;
  }

  private async arrive(tx: Tx, account: Account | null, offer: Accepted): Promise<LoginResponse | ProblemError> {
    const membership = account?.memberships.find(({ id }) => id === offer.membershipId);
    if (!account || !membership) throw invalidInvitation();
    const { id } = account;
    if (account.breakGlass) await requireBreakGlassRoom(tx, id, [membership]);
    tx.audit({
      action: 'user.invite.accept',
      resource: { type: 'user', id, name: account.email },
      actor: { type: 'user', id, name: account.name },
      partnerId: membership.partnerId,
      orgId: membership.orgId,
    });
    // A provider that governs the membership signs the user in from now on.
    return membership.governed
      ? throughProvider()
      : this.continuePasswordSignIn.execute(tx, { account, membership, via: 'invitation' });
  }
}
