import { asService, type Caller, Refusal, type ServiceCaller } from '@gatehouse/contracts-core';
import type { AcceptInviteInput, LoginAnswer } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { onConstraint, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { CompleteSignIn } from '../password-login/complete-sign-in.ts';
import { requireUncommon } from '../passwords/password-rules.ts';
import { Passwords } from '../passwords/passwords.ts';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';
import { recordLoginFailure } from '../people/login-failure.ts';
import { requireNotFrozen } from '../tenant-refs/frozen.ts';
import { requireBreakGlassRoom } from '../users/break-glass.ts';
import { TechnicianFeed } from '../users/technician-feed.ts';
import { UsersRepository } from '../users/users.repository.ts';
import type { OfferedMembership } from './invitations.ts';

const FIND = `SELECT user_id FROM invitations WHERE token_hash = $1 AND expires_at > now()`;
const CONSUME = `DELETE FROM invitations WHERE token_hash = $1 AND expires_at > now() RETURNING user_id, membership`;
const SET_PASSWORD = `INSERT INTO credentials (user_id, password_hash) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING`;
const WELCOME = `UPDATE users SET name = coalesce($2, name), status = 'active', updated_at = now() WHERE id = $1 AND status = 'invited'`;

interface Consumed {
  readonly userId: string;
  readonly membership: OfferedMembership | null;
}

const invalidInvitation = (): Refusal => new Refusal('invitation_invalid', 'This invitation is not valid any more; ask for another.');
const roleGone = onConstraint({ membership_role: invalidInvitation });

/** POST /auth/accept-invite: sets the first password and signs in. Whoever has a password already shows it instead. */
@Injectable()
export class AcceptInvitation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly completion: CompleteSignIn,
    private readonly users: UsersRepository,
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
    if (account.governed) throw new Refusal('sso_enforced', 'Your organisation signs in through its identity provider; use that.');
    const newHash = await this.passwordFor(service, account, password);
    return this.work.run(service, (tx) => this.accept(tx, account, { tokenHash, newHash, name }));
  }

  /** @returns the hash of a first password, or null when the account's own was shown */
  private async passwordFor(service: ServiceCaller, account: Account, password: string): Promise<string | null> {
    if (account.passwordHash === null) {
      requireUncommon(password);
      return this.passwords.hash(password);
    }
    if (await this.passwords.verify(account.passwordHash, password)) return null;
    await this.work.run(service, async (tx) => recordLoginFailure(tx, account, { reason: 'wrong_password', via: 'invitation' }));
    throw new Refusal('invalid_credentials', 'Invalid email or password.');
  }

  private async accept(tx: Tx, { id }: Account, { tokenHash, newHash, name }: { tokenHash: string; newHash: string | null; name?: string }): Promise<LoginAnswer> {
    const consumed = await tx.one<Consumed>(CONSUME, [tokenHash]);
    if (!consumed) throw invalidInvitation();
    if (newHash) await tx.query(SET_PASSWORD, [id, newHash]);
    await tx.query(WELCOME, [id, name ?? null]);
    if (consumed.membership) await this.join(tx, id, consumed.membership);
    await this.technicians.publish(tx, [id]);
    return this.arrive(tx, await this.accounts.byId(tx, id), consumed.membership);
  }

  /** @throws Refusal email_taken, invitation_invalid, organization_frozen, which leaves the invitation as it was: the organisation may come back */
  private async join(tx: Tx, userId: string, offered: OfferedMembership): Promise<void> {
    await requireNotFrozen(tx, offered.orgId);
    await this.users.addMembership(tx, { userId, ...offered }).catch(roleGone);
  }

  private async arrive(tx: Tx, account: Account | null, offered: OfferedMembership | null): Promise<LoginAnswer> {
    const membership = account?.memberships.find(({ id }) => offered === null || id === offered.id);
    if (!account || !membership) throw invalidInvitation();
    const { id } = account;
    if (account.breakGlass && offered) await requireBreakGlassRoom(tx, id, [membership]);
    tx.audit({ action: 'user.invite.accept', resource: { type: 'user', id, name: account.email }, actor: { type: 'user', id, name: account.name }, partnerId: membership.partnerId, orgId: membership.orgId });
    return this.completion.proceed(tx, { account, membership, via: 'invitation' });
  }
}
