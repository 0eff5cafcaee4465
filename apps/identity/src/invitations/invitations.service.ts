import {
  asService,
  type Caller,
  changesOf,
  ProblemError,
  type ServiceCaller,
  type UserCaller,
} from '@gatehouse/contracts-core';
import type { AcceptInviteDto, LoginResponse, OpenInvitationResponse, UserRecord } from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { ApiKeysRepository } from '../api-keys/api-keys.repository.ts';
import { Mailer } from '../mail/mailer.ts';
import { invitationMail } from '../mail/templates.ts';
import { TenantNamesRepository } from '../mail/recipients.repository.ts';
import { type GrantedPlacement, PLACE_FIELDS } from '../people/grants/placement.ts';
import { MembershipGrants } from '../people/memberships/membership-grants.ts';
import { MembershipsService } from '../people/memberships/memberships.service.ts';
import { type AcceptedOffer, AcceptedOffersRepository } from '../people/offers/accepted-offers.repository.ts';
import { InvitationMailsRepository } from '../people/offers/invitation-mails.repository.ts';
import {
  type Author,
  invitationNotFound,
  type NewOffer,
  OffersRepository,
} from '../people/offers/offers.repository.ts';
import { WithdrawDeadOffers } from '../people/offers/withdraw-dead-offers.ts';
import { OwnFactorsService } from '../sign-in/own-factors/own-factors.service.ts';
import { type Account, AccountsRepository } from '../people/accounts.repository.ts';
import { UsersRepository } from '../people/users.repository.ts';
import { SignInService } from '../sign-in/sign-in.service.ts';
import { requireNotFrozen } from '../tenants/tenant-refs/tenant-refs.repository.ts';
import { InvitedPassword, wrongPassword } from './invited-password.ts';

interface Acceptance {
  readonly tokenHash: string;
  readonly account: Account | null;
  /** Null when the user proved the account's existing password, undefined when no password is needed. */
  readonly newHash: string | null | undefined;
  readonly name?: string;
}

const throughProvider = (): ProblemError =>
  new ProblemError('sso_enforced', 'Your organisation signs in with its identity provider; use that.');

const invalidInvitation = (): ProblemError =>
  new ProblemError('invitation_invalid', 'This invitation is no longer valid; ask for another.');

interface AcceptOfferAcceptance {
  readonly tokenHash: string;
  readonly account: Account | null;
  /** The name of a user who has no account yet. */
  readonly name?: string;
}

/** `before` is the open invitation that this one replaced. */
export interface InvitedUser {
  readonly before: UserRecord | null;
  readonly after: UserRecord;
}

function recordAcceptance(
  tx: Tx,
  { id, email, name }: Pick<Account, 'id' | 'email' | 'name'>,
  offer: GrantedPlacement,
  details: Readonly<Record<string, unknown>> = {},
): void {
  tx.audit({
    action: 'user.invite.accept',
    resource: { type: 'user', id, name: email },
    actor: { type: 'user', id, name },
    partnerId: offer.partnerId,
    orgId: offer.orgId,
    details: { ...details, changes: changesOf(null, offer, PLACE_FIELDS) },
  });
}

type SentOffer = Pick<NewOffer, 'email' | 'author'> & {
  readonly membership: Pick<NewOffer['membership'], 'partnerId' | 'orgId'>;
};

/** Limit for one address and one tenant (a partner with its organisations, or the system) within 24 hours. */
const MAX_MAILS = 5;

@Injectable()
export class InvitationsService {
  constructor(
    private readonly usersRepository: UsersRepository,
    private readonly acceptedOffersRepository: AcceptedOffersRepository,
    private readonly memberships: MembershipsService,
    private readonly work: UnitOfWork,
    private readonly accountsRepository: AccountsRepository,
    private readonly invitedPassword: InvitedPassword,
    private readonly signIn: SignInService,
    private readonly ownFactors: OwnFactorsService,
    private readonly offersRepository: OffersRepository,
    private readonly withdrawDeadOffers: WithdrawDeadOffers,
    private readonly membershipGrants: MembershipGrants,
    private readonly mailer: Mailer,
    private readonly tenantNamesRepository: TenantNamesRepository,
    private readonly invitationMailsRepository: InvitationMailsRepository,
    private readonly apiKeysRepository: ApiKeysRepository,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /**
   * Creates the account of an invited user who had none, with the membership that was offered to them.
   * @param offer already deleted from the table
   * @param provesAddress whether the user proved the mail address itself, and so also accepts the related invitations
   * @returns the id of the new account
   */
  async createInvitedUser(
    tx: Tx,
    offer: AcceptedOffer,
    { provesAddress }: { readonly provesAddress: boolean },
  ): Promise<string> {
    const { id, email, name, authorId: _, takenAt: _t, membershipId, ...place } = offer;
    await this.usersRepository.insert(tx, { id, email, name });
    const related = provesAddress ? await this.acceptedOffersRepository.acceptRelated(tx, id, offer) : [];
    await this.memberships.joinTenant(tx, id, { ...place, id: membershipId });
    for (const other of related) recordAcceptance(tx, { id, email, name }, other);
    return id;
  }

  /**
   * Accepts an organisation's invitation to an address without account, at the first sign-in through its provider. The
   * provider vouches for its own organisation only, and for no more than the author of its trust could give, so all
   * other invitations stay open.
   */
  async acceptBySingleSignOn(
    tx: Tx,
    { id: providerId, orgId }: { readonly id: string; readonly orgId: string | null },
    email: string,
  ): Promise<void> {
    if (orgId === null) return;
    const offer = await this.acceptedOffersRepository.consumeByProvider(tx, providerId, email);
    if (!offer) return;
    const id = await this.createInvitedUser(tx, offer, { provesAddress: false });
    recordAcceptance(tx, { id, email, name: offer.name }, offer, { providerId });
  }

  /** POST /auth/invitation: who invites whom to what (IDY-195). Only the mail to the address holds the token. */
  read(caller: Caller, token: string): Promise<OpenInvitationResponse> {
    return this.work.read(asService('identity', caller.origin), async (reader) => {
      const offer = await this.acceptedOffersRepository.find(reader, sha256Hex(token));
      if (!offer) throw invalidInvitation();
      const { email, name, invitedBy } = offer;
      const account = await this.accountsRepository.byEmail(reader, email);
      const place = await this.tenantNamesRepository.find(reader, offer);
      return { email, name, invitedBy, place, hasPassword: Boolean(account?.passwordHash) };
    });
  }

  /**
   * POST /auth/accept-invite: accepts the offered membership and signs in to it. A user without an account gets one,
   * with a first password; a user who has a password must enter it. Enforcement of single sign-on in other tenants does
   * not matter here.
   */
  async accept(caller: Caller, { token, password, name }: AcceptInviteDto): Promise<LoginResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(token);
    const { enforced, account } = await this.work.read(service, async (reader) => {
      const offer = await this.acceptedOffersRepository.find(reader, tokenHash);
      if (!offer) throw invalidInvitation();
      return { ...offer, account: await this.accountsRepository.byEmail(reader, offer.email) };
    });
    const newHash = await this.prove(service, { enforced, account, password });
    const answer = await this.work.run(service, (tx) => this.acceptIn(tx, { tokenHash, account, newHash, name }));
    if (answer instanceof ProblemError) throw answer;
    return answer;
  }

  /**
   * @returns the hash of a first password; null when the user proved the account's existing password; undefined when a
   * provider signs the user in
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
  private async acceptIn(
    tx: Tx,
    { tokenHash, account, newHash, name }: Acceptance,
  ): Promise<LoginResponse | ProblemError> {
    if (account && newHash === null && !(await this.invitedPassword.admit(tx, account))) return wrongPassword();
    const { userId, offer } = await this.acceptOffer(tx, { tokenHash, account, name });
    if (newHash) await this.invitedPassword.store(tx, userId, newHash);
    return this.arrive(tx, await this.accountsRepository.byId(tx, userId), offer);
  }

  private async arrive(tx: Tx, account: Account | null, offer: AcceptedOffer): Promise<LoginResponse | ProblemError> {
    const membership = account?.memberships.find(({ id }) => id === offer.membershipId);
    if (!account || !membership) throw invalidInvitation();
    // One that was taken along was recorded then; its link only signs in.
    if (offer.takenAt === null) recordAcceptance(tx, account, offer);
    // A provider that governs the membership signs the user in from now on.
    return membership.governed
      ? throughProvider()
      : this.signIn.continuePasswordSignIn(tx, { account, membership, via: 'invitation' });
  }

  /** Uses up an invitation and gives its user the membership, with a new account if there is none. */
  async acceptOffer(
    tx: Tx,
    { tokenHash, account, name }: AcceptOfferAcceptance,
  ): Promise<{ readonly userId: string; readonly offer: AcceptedOffer }> {
    const offer = await this.acceptedOffersRepository.consume(tx, tokenHash);
    // Accepted already, together with another invitation: its link must not bring a deleted user back.
    const isOfDeletedUser = offer?.takenAt && !account;
    if (!offer || isOfDeletedUser) throw invalidInvitation();
    await requireNotFrozen(tx, offer.orgId);
    const userId = await (account
      ? this.join(tx, account, offer)
      : this.createInvitedUser(tx, { ...offer, name: name ?? offer.name }, { provesAddress: true }));
    return { userId, offer };
  }

  private async join(tx: Tx, account: Account, offer: AcceptedOffer): Promise<string> {
    const { id } = account;
    // The account may have been deleted since it was read; the link can still make one.
    if (!(await this.usersRepository.lock(tx, id))) throw invalidInvitation();
    await this.ownFactors.removeProviderFactors(tx, account);
    if (offer.takenAt === null) await this.memberships.joinTenant(tx, id, { ...offer, id: offer.membershipId });
    // Not by the account as it was read: with factors of providers only, it was a break-glass user's until now.
    const user = await this.usersRepository.lock(tx, id);
    if (user?.breakGlass) await this.memberships.requireBreakGlassLimit(tx, id, [offer]);
    return id;
  }

  /**
   * Invites an address, or renews its open invitation if the caller could also have changed that.
   * @throws ProblemError rate_limited, role_not_grantable; those of the reach
   */
  async offerMembership(tx: Tx, caller: UserCaller, offer: Omit<NewOffer, 'author'>): Promise<InvitedUser> {
    const author = await this.authorOf(tx, caller);
    await this.withdrawDeadOffers.at(tx, offer.email, offer.membership);
    const open = await this.offersRepository.findAt(tx, offer.email, offer.membership);
    if (open) await this.membershipGrants.requireMayChange(tx, caller, open.memberships);
    const id = await this.send(tx, { ...offer, author });
    const after = await this.offersRepository.findSent(tx, id);
    if (!after) throw new Error('an invitation that was just sent is out of reach');
    return { before: open, after };
  }

  /** The caller as the author of an invitation, with what their session stands on. */
  async authorOf(tx: Tx, caller: UserCaller): Promise<Author> {
    const { userId: id, name } = caller;
    const root = await this.apiKeysRepository.rootOf(tx, caller);
    return root ? { id, name, root } : { id, name };
  }

  /**
   * Sends an invitation by mail: a link that works once and for seven days. Only the hash of its token is stored.
   * @returns the id of the invitation @throws ProblemError rate_limited
   */
  send(tx: Tx, offer: NewOffer): Promise<string> {
    return this.mail(tx, offer, (tokenHash) => this.offersRepository.upsert(tx, newId(), tokenHash, offer));
  }

  /** Sends an open invitation again: the link of the earlier mail stops working. @throws as {@link execute} */
  again(tx: Tx, id: string, offer: SentOffer): Promise<string> {
    return this.mail(tx, offer, async (tokenHash) => {
      const renewed = await this.offersRepository.renew(tx, id, tokenHash, offer.author);
      if (!renewed) throw invitationNotFound();
      return renewed;
    });
  }

  /** @param store stores the hash of the new token before the mail with the token is posted */
  private async mail(tx: Tx, offer: SentOffer, store: (tokenHash: string) => Promise<string>): Promise<string> {
    await this.countMail(tx, offer.email, offer.membership.partnerId);
    const token = randomToken();
    const id = await store(sha256Hex(token));
    const tenantName = await this.tenantNamesRepository.find(tx, offer.membership);
    const mail = { baseUrl: this.baseUrl, to: offer.email, token, tenantName };
    await this.mailer.post(tx, invitationMail(mail, offer.author.name));
    return id;
  }

  private async countMail(tx: Tx, email: string, partnerId: string | null): Promise<void> {
    await this.invitationMailsRepository.lockAddress(tx, email, partnerId);
    const { count, retryAfter } = await this.invitationMailsRepository.recent(tx, email, partnerId);
    if (count >= MAX_MAILS)
      throw new ProblemError('rate_limited', `This address was invited ${MAX_MAILS} times today; try again later.`, {
        retryAfterSeconds: Math.max(1, retryAfter ?? 1),
      });
    await this.invitationMailsRepository.insert(tx, email, partnerId);
  }
}
