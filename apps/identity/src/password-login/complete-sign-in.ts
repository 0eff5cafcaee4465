import { invalid, ProblemError } from '@gatehouse/contracts-core';
import type { LoginResponse, MfaStateRecord, SignedInResponse } from '@gatehouse/contracts-identity';
import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { EnforcementRepository } from '../enforcement/enforcement.repository.ts';
import { deadChallenge } from '../sessions/session-of.ts';
import type { Account, LiveMembership } from '../people/accounts.repository.ts';
import { OpenSession, type SignInMeans } from '../sessions/open-session.ts';

export interface Arrival {
  readonly account: Pick<Account, 'id' | 'email' | 'name' | 'breakGlass' | 'methods'>;
  readonly membership: LiveMembership;
  readonly via: SignInMeans;
}

const CHALLENGE = `INSERT INTO mfa_challenges (token_hash, user_id, membership_id, via, expires_at) VALUES ($1, $2, $3, $4, now() + interval '5 minutes')`;
const SWEEP = `DELETE FROM mfa_challenges WHERE user_id = $1 AND expires_at < now()`;

/** @throws ProblemError validation_failed when the chosen membership does not belong to the user */
export function chooseMembership(
  memberships: readonly LiveMembership[],
  chosenId: string | undefined,
): LiveMembership | null {
  if (chosenId === undefined) return memberships.length === 1 ? (memberships[0] ?? null) : null;
  const chosen = memberships.find(({ id }) => id === chosenId);
  if (!chosen) throw invalid('membershipId', 'must be one of your memberships');
  return chosen;
}

/**
 * Continues a sign-in after a password or an invitation was accepted: requires the second factor, then opens the
 * session.
 */
@Injectable()
export class CompleteSignIn {
  constructor(
    private readonly sessions: OpenSession,
    private readonly enforcement: EnforcementRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Requires the second factor if the user has one, else opens the session. */
  async proceed(tx: Tx, arrival: Arrival): Promise<LoginResponse> {
    const { account, membership, via } = arrival;
    if (account.methods.length === 0) return this.open(tx, arrival, null);
    const mfaToken = randomToken();
    await tx.query(SWEEP, [account.id]);
    await tx.query(CHALLENGE, [sha256Hex(mfaToken), account.id, membership.id, via]);
    return { mfaRequired: true, mfaToken, methods: [...account.methods] };
  }

  /**
   * @param mfaVia the second factor that was proved, or null
   * @throws ProblemError for a membership that only an identity provider opens: mfa_token_invalid after a second
   * factor, else invalid_credentials
   */
  async open(tx: Tx, { account, membership, via }: Arrival, mfaVia: string | null): Promise<SignedInResponse> {
    const { id, email, name } = account;
    const sessionId = newId();
    await this.sessions.create(tx, {
      sessionId,
      userId: id,
      membershipId: membership.id,
      via,
      providerId: null,
      confinedOrgId: null,
      mfa: mfaVia ? { via: mfaVia } : null,
    });
    // Checked only now, after the session exists: enforcement that begins later waits for this session and revokes it.
    if (await this.enforcement.isGoverned(tx, membership.id))
      throw mfaVia ? deadChallenge() : new ProblemError('invalid_credentials', 'Invalid email or password.');
    const tokens = await this.sessions.issueTokens(tx, sessionId);
    this.record(tx, { account, membership, via }, sessionId);
    const mfa: MfaStateRecord = { satisfied: mfaVia !== null, enrolled: account.methods.length > 0 };
    return { ...tokens, user: { id, email, name }, mfa };
  }

  private record(tx: Tx, { account, membership, via }: Arrival, sessionId: string): void {
    if (account.breakGlass)
      this.log.warn({ userId: account.id, sessionId, alert: 'break_glass_sign_in' }, 'a break-glass account signed in');
    tx.audit({
      action: account.breakGlass ? 'user.break_glass.login' : 'user.login',
      resource: { type: 'user', id: account.id, name: account.email },
      actor: { type: 'user', id: account.id, name: account.name },
      partnerId: membership.partnerId,
      orgId: membership.orgId,
      details: { via, sessionId },
    });
  }
}
