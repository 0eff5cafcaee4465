import { asService, type Caller, Refusal } from '@gatehouse/contracts-core';
import type { AcceptInviteInput, LoginAnswer } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { onConstraint, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { CompleteSignIn } from '../password-login/complete-sign-in.ts';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { requireBreakGlassRoom } from '../users/break-glass.ts';
import { JoinTenant } from '../users/join-tenant.ts';
import { TechnicianFeed } from '../users/technician-feed.ts';
import { InvitedPassword, wrongPassword } from './invited-password.ts';
import type { OfferedMembership } from './invitations.ts';

const FIND = `SELECT user_id FROM invitations WHERE token_hash = $1 AND expires_at > now()`;
const CONSUME = `DELETE FROM invitations WHERE token_hash = $1 AND expires_at > now() RETURNING user_id, membership`;
const WELCOME = `UPDATE users SET name = coalesce($2, name), status = 'active', updated_at = now() WHERE id = $1 AND status = 'invited'`;

interface Acceptance {
  readonly tokenHash: string;
  /** Null when the account's own password was shown. */
  readonly newHash: string | null;
  readonly name?: string;
}

interface Consumed {
  readonly userId: string;
  readonly membership: OfferedMembership | null;
}

const invalidInvitation = (): Refusal => new Refusal('invitation_invalid', 'This invitation is not valid any more; ask for another.');
const throughProvider = (): Refusal => new Refusal('sso_enforced', 'Your organisation signs in through its identity provider; use that.');
const roleGone = onConstraint({ membership_role: invalidInvitation });

/** POST /auth/accept-invite: sets the first password and signs in. Whoever has a password already shows it instead. */
@Injectable()
export class AcceptInvitation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountsRepository,
    private readonly passwords: InvitedPassword,
    private readonly completion: CompleteSignIn,
    private readonly joining: JoinTenant,
    private readonly technicians: TechnicianFeed,
  ) {}

  async execute(caller: Caller, { token, password, name }: AcceptInviteInput): Promise<LoginAnswer> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(token);
    const account = await this.work.read(service, async (reader) => {
      const invitation = await reader.one<{ userId: string }>(FIND, [tokenHash]);
      return invitation && this.accounts.byId(reader, invitation.userId);
    });
    if (!account || account.status === 'suspended') throw invalidInvitation();
    if (account.governed) throw throughProvider();
    const newHash = await this.passwords.judge(service, account, password);
    const answer = await this.work.run(service, (tx) => this.accept(tx, account, { tokenHash, newHash, name }));
    if (answer instanceof Refusal) throw answer;
    return answer;
  }

  /** @returns a refusal where something is to stay although it refuses */
  private async accept(tx: Tx, known: Account, { tokenHash, newHash, name }: Acceptance): Promise<LoginAnswer | Refusal> {
    const { id } = known;
    if (!(await this.passwords.settle(tx, known, newHash))) return wrongPassword();
    const consumed = await tx.one<Consumed>(CONSUME, [tokenHash]);
    if (!consumed) throw invalidInvitation();
    await tx.query(WELCOME, [id, name ?? null]);
    await (consumed.membership ? this.join(tx, id, consumed.membership) : this.technicians.publish(tx, [id]));
    return this.arrive(tx, await this.accounts.byId(tx, id), consumed.membership);
  }

  /** @throws Refusal email_taken, invitation_invalid, organization_frozen, which leaves the invitation as it was: the organisation may come back */
  private async join(tx: Tx, userId: string, offered: OfferedMembership): Promise<void> {
    await requireNotFrozen(tx, offered.orgId);
    await this.joining.execute(tx, userId, offered).catch(roleGone);
  }

  private async arrive(tx: Tx, account: Account | null, offered: OfferedMembership | null): Promise<LoginAnswer | Refusal> {
    const membership = account?.memberships.find(({ id }) => offered === null || id === offered.id);
    if (!account || !membership) throw invalidInvitation();
    const { id } = account;
    if (account.breakGlass && offered) await requireBreakGlassRoom(tx, id, [membership]);
    tx.audit({ action: 'user.invite.accept', resource: { type: 'user', id, name: account.email }, actor: { type: 'user', id, name: account.name }, partnerId: membership.partnerId, orgId: membership.orgId });
    // Where the membership that it brings is governed by a provider, that signs the person in from now on.
    return account.governed ? throughProvider() : this.completion.proceed(tx, { account, membership, via: 'invitation' });
  }
}
