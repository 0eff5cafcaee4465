import { asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import { randomToken, sha256Hex } from '@gatehouse/crypto';
import { constraintOf, type Tx, UnitOfWork } from '@gatehouse/database';
import { type AccountDecision, decideAccount, type Identity, mapClaims } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { CreateInvitedUser } from '../invitations/create-invited-user.ts';
import { LinkIdentity } from './accounts/link-identity.ts';
import { AccountFactsRepository } from './accounts/account-facts.repository.ts';
import { refusedAt } from './attempts/claim-attempt.ts';
import { claimMappingOf } from './accounts/claim-mapping-of.ts';
import { EnterThroughProvider } from './accounts/enter-through-provider.ts';
import { LoginRefused } from './attempts/login-refused.ts';
import type { ClaimedAttempt } from './attempts/login-sessions.repository.ts';
import type { OidcSignIn } from './oidc/oidc-engine.ts';
import { ParkedLinks } from './accounts/parked-links.ts';
import { ProvisionUser } from './accounts/provision-user.ts';

export interface CompletedLogin {
  readonly attempt: ClaimedAttempt;
  readonly signIn: OidcSignIn;
  /** The value that identifies the browser that returned from the provider. */
  readonly browser: string;
}

/** `code` for the exchange endpoint, or the token of a parked link when the user must prove the account first. */
export type LoginResult =
  | { readonly kind: 'signed_in'; readonly redirectPath: string; readonly code: string }
  | { readonly kind: 'parked'; readonly token: string }
  | { readonly kind: 'linked' };

type Entry = Extract<AccountDecision, { membershipId: string }> & { readonly provisioned?: boolean };

/**
 * The unique constraints that two concurrent first sign-ins of one user violate. The loser retries and then finds the
 * account that the winner created.
 */
const RACES = new Set([
  'user_email_unique',
  'membership_unique',
  'identity_belongs_to_one_user',
  'user_has_one_identity_per_provider',
]);
const MAX_TRIES = 4;

/** The operations that may follow the first sign-in of an identity. */
@Injectable()
export class FirstSignIns {
  constructor(
    readonly provision: ProvisionUser,
    readonly parked: ParkedLinks,
    readonly linking: LinkIdentity,
    readonly newcomers: CreateInvitedUser,
  ) {}
}

/** The second half of every sign-in through a provider, OIDC or SAML (SSO-15 to SSO-22). */
@Injectable()
export class CompleteSsoLogin {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: AccountFactsRepository,
    private readonly firsts: FirstSignIns,
    private readonly enterThroughProvider: EnterThroughProvider,
  ) {}

  /** @throws LoginRefused */
  async execute(caller: Caller, login: CompletedLogin): Promise<LoginResult> {
    const identity = mapClaims(login.signIn.documents, claimMappingOf(login.attempt));
    if (!identity)
      throw new LoginRefused('sso_error', refusedAt(login.attempt), {
        cause: new Error('the provider gave no usable subject or address'),
      });
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.work.run(asService('identity', caller.origin), (tx) => this.admit(tx, login, identity));
      } catch (error) {
        if (!RACES.has(constraintOf(error) ?? '') || attempt === MAX_TRIES) throw this.asLoginRefused(error, login);
      }
    }
  }

  private async admit(tx: Tx, login: CompletedLogin, identity: Identity): Promise<LoginResult> {
    const { attempt } = login;
    if (attempt.linkingUserId) return this.link(tx, login, identity);
    await this.firsts.newcomers.bySingleSignOn(tx, attempt, identity.email);
    const facts = await this.facts.load(tx, attempt, identity);
    if (!facts) throw new LoginRefused('provider_changed', refusedAt(attempt));
    const decision = decideAccount(identity, facts, { ...attempt, axis: attempt.orgId ? 'organization' : 'partner' });
    if (decision.kind === 'refuse') throw new LoginRefused(decision.code, refusedAt(attempt));
    if (decision.kind === 'park')
      return { kind: 'parked', token: await this.firsts.parked.park(tx, { userId: decision.userId, ...login }) };
    return this.enter(tx, login, {
      identity,
      entry: decision.kind === 'provision' ? await this.firsts.provision.execute(tx, attempt, identity) : decision,
    });
  }

  private async link(tx: Tx, { attempt, signIn }: CompletedLogin, identity: Identity): Promise<LoginResult> {
    const fault = await this.firsts.linking.execute(tx, { attempt, signIn, identity });
    if (fault) throw new LoginRefused(fault, refusedAt(attempt));
    return { kind: 'linked' };
  }

  private async enter(
    tx: Tx,
    { attempt, signIn, browser }: CompletedLogin,
    { identity, entry }: { identity: Identity; entry: Entry },
  ): Promise<LoginResult> {
    const code = randomToken();
    const sessionId = await this.enterThroughProvider.execute(
      tx,
      {
        provider: attempt,
        signIn,
        identity,
        user: { id: entry.userId, breakGlass: entry.breakGlass },
        membershipId: entry.membershipId,
        linked: entry.kind === 'adopt',
        selfLinked: false,
        mfaVia: null,
      },
      { hash: sha256Hex(code), browserHash: sha256Hex(browser) },
    );
    if (sessionId === null) throw new LoginRefused('identity_conflict', refusedAt(attempt));
    return { kind: 'signed_in', redirectPath: attempt.redirectPath, code };
  }

  /**
   * A membership that was removed during the sign-in becomes `no_org_access` or `no_partner_access`. An unexpected
   * error becomes `sso_error` for the browser and an error in the log.
   */
  private asLoginRefused(error: unknown, { attempt }: CompletedLogin): LoginRefused {
    if (error instanceof LoginRefused) return error;
    const lostAccess = error instanceof ProblemError && error.code === 'invalid_credentials';
    const noAccess = attempt.orgId ? 'no_org_access' : 'no_partner_access';
    return new LoginRefused(lostAccess ? noAccess : 'sso_error', refusedAt(attempt), { cause: error });
  }
}
