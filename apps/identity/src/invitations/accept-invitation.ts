import { asService, type Caller, ProblemError, type ServiceCaller } from '@gatehouse/contracts-core';
import type { AcceptInviteDto, LoginResponse } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type AcceptedOffer, AcceptedOffersRepository } from '../offers/accepted-offers.repository.ts';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';
import { ContinuePasswordSignIn } from '../sign-in/continue-password-sign-in.ts';
import { AcceptOffer, invalidInvitation } from './accept-offer.ts';
import { InvitedPassword, wrongPassword } from './invited-password.ts';

interface Acceptance {
  readonly tokenHash: string;
  readonly account: Account | null;
  /** Null when the user proved the account's existing password, undefined when no password is needed. */
  readonly newHash: string | null | undefined;
  readonly name?: string;
}

const throughProvider = (): ProblemError =>
  new ProblemError('sso_enforced', 'Your organisation signs in through its identity provider; use that.');

/**
 * POST /auth/accept-invite: accepts the offered membership and signs in to it. A user without an account gets one, with
 * a first password; a user who has a password must enter it. Enforcement of single sign-on in other tenants does not
 * matter here.
 */
@Injectable()
export class AcceptInvitation {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accountsRepository: AccountsRepository,
    private readonly acceptedOffersRepository: AcceptedOffersRepository,
    private readonly invitedPassword: InvitedPassword,
    private readonly acceptOffer: AcceptOffer,
    private readonly continuePasswordSignIn: ContinuePasswordSignIn,
  ) {}

  async execute(caller: Caller, { token, password, name }: AcceptInviteDto): Promise<LoginResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(token);
    const { enforced, account } = await this.work.read(service, async (reader) => {
      const offer = await this.acceptedOffersRepository.find(reader, tokenHash);
      if (!offer) throw invalidInvitation();
      return { ...offer, account: await this.accountsRepository.byEmail(reader, offer.email) };
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
    return hasOnlyProvider ? undefined : this.invitedPassword.judge(service, account, password);
  }

  /** @returns a problem, instead of throwing it, when changes must be committed although the request fails */
  private async accept(
    tx: Tx,
    { tokenHash, account, newHash, name }: Acceptance,
  ): Promise<LoginResponse | ProblemError> {
    if (account && newHash === null && !(await this.invitedPassword.admit(tx, account))) return wrongPassword();
    const { userId, offer } = await this.acceptOffer.execute(tx, { tokenHash, account, name });
    if (newHash) await this.invitedPassword.store(tx, userId, newHash);
    return this.arrive(tx, await this.accountsRepository.byId(tx, userId), offer);
  }

  private async arrive(tx: Tx, account: Account | null, offer: AcceptedOffer): Promise<LoginResponse | ProblemError> {
    const membership = account?.memberships.find(({ id }) => id === offer.membershipId);
    if (!account || !membership) throw invalidInvitation();
    const { id } = account;
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
