import { asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { ConfirmLinkDto, SsoTokensResponse } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { mapClaims } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import type { SignInFault } from '../../sign-in/methods/password-login.service.ts';
import { type Account, AccountsRepository } from '../../people/accounts.repository.ts';
import { OpenSession } from '../../sessions/open-session.ts';
import { AccountProof } from './account-proof.ts';
import { claimMappingOf, SsoLoginAccountsService } from '../login/accounts/sso-login-accounts.service.ts';
import { IdentityLinksRepository } from '../login/accounts/identity-links.repository.ts';
import { type ClaimedParkedLink, ParkedLinksRepository } from '../login/accounts/parked-links.repository.ts';

interface Confirmation {
  readonly tokenHash: string;
  readonly providerId: string | null;
  readonly fault: SignInFault | null;
  readonly code?: string;
}

const invalidConfirmation = (): ProblemError =>
  new ProblemError(
    'link_confirmation_invalid',
    'The confirmation is not valid; sign in through your identity provider again.',
  );

/**
 * `POST /sso/link/confirm`: the user proves the account with the password and, if there is one, the second factor.
 * Identity then links the parked identity and completes the sign-in. A wrong proof does not consume the parked link; it
 * counts towards the account's limits and lock like a failed sign-in.
 */
@Injectable()
export class ConfirmParkedLink {
  constructor(
    private readonly work: UnitOfWork,
    private readonly parkedLinksRepository: ParkedLinksRepository,
    private readonly accountsRepository: AccountsRepository,
    private readonly accountProof: AccountProof,
    private readonly openSession: OpenSession,
    private readonly ssoLoginAccounts: SsoLoginAccountsService,
    private readonly identityLinksRepository: IdentityLinksRepository,
  ) {}

  async confirmParkedLink(
    caller: Caller,
    { token, body }: { token: string | null; body: ConfirmLinkDto },
  ): Promise<SsoTokensResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(token ?? '');
    const [waiting, account] = await this.work.read(service, async (reader) => {
      const found = await this.parkedLinksRepository.find(reader, tokenHash);
      return [found, found && (await this.accountsRepository.byId(reader, found.userId))] as const;
    });
    await this.accountProof.passwordAttempts.requireRoom(caller, account?.email ?? tokenHash);
    const fault = await this.accountProof.faultOf(account, body);
    const tokens =
      account &&
      (await this.work.run(service, (tx) =>
        this.confirm(tx, account, { tokenHash, providerId: waiting?.providerId ?? null, fault, code: body.code }),
      ));
    if (!tokens) throw invalidConfirmation();
    return tokens;
  }

  /** A concurrent attempt may have consumed the link; a wrong password counts nevertheless. */
  private async confirm(
    tx: Tx,
    account: Account,
    { tokenHash, providerId, fault, code }: Confirmation,
  ): Promise<SsoTokensResponse | null> {
    if (!fault && !(await this.parkedLinksRepository.find(tx, tokenHash))) return null;
    const proof = await this.accountProof.complete(tx, account, { fault, code, details: { providerId } });
    const link = proof && (await this.parkedLinksRepository.take(tx, tokenHash));
    return link && proof && this.link(tx, link, { account, mfaVia: proof.via });
  }

  private async link(
    tx: Tx,
    { provider, signIn, attemptId }: ClaimedParkedLink,
    { account, mfaVia }: { account: Account; mfaVia: string | null },
  ): Promise<SsoTokensResponse> {
    const identity = mapClaims(signIn.documents, claimMappingOf(provider));
    const membership = account.memberships.find(
      ({ partnerId, orgId }) => partnerId === provider.partnerId && orgId === provider.orgId,
    );
    if (!identity || !membership || identity.email !== account.email) throw invalidConfirmation();
    const before = await this.identityLinksRepository.find(tx, { providerId: provider.id, userId: account.id });
    const entry = {
      provider,
      signIn,
      identity,
      user: { id: account.id, breakGlass: account.breakGlass },
      membershipId: membership.id,
      link: { before, after: { selfLinked: true } },
      mfaVia,
      attemptId,
    };
    const sessionId = await this.ssoLoginAccounts.enterThroughProvider(tx, entry, null);
    if (sessionId === null) throw invalidConfirmation();
    return this.openSession.issueTokens(tx, sessionId);
  }
}
