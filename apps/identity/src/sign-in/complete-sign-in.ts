import { changesOf } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { OpenSession } from '../sessions/open-session.ts';
import type { SignedInUser, SignInMeans } from '../sessions/sessions.repository.ts';

/** An identity link before and after it was made or proved. */
export interface LinkChange {
  readonly before: { readonly selfLinked: boolean } | null;
  readonly after: { readonly selfLinked: boolean };
}

/** The provider that signed a user in, as far as the session and its audit entry need it. */
interface SigningProvider {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly orgId: string | null;
}

interface ByPassword {
  readonly via: Exclude<SignInMeans, 'sso'>;
  /** Whether enforcement that is observed or announced would have refused this sign-in. */
  readonly wouldBeGoverned: boolean;
}

interface ByProvider {
  readonly via: 'sso';
  /** The address as the provider sent it. */
  readonly email: string;
  readonly provider: SigningProvider;
  /** The link that this sign-in made, or made anew; null for one that entered by a link as it was. */
  readonly link: LinkChange | null;
  /** The reference of the attempt; null for one that was parked by a release that did not keep it. */
  readonly attemptId: string | null;
}

/** A sign-in whose every proof was accepted. */
export interface AcceptedSignIn {
  readonly user: { readonly id: string; readonly breakGlass: boolean };
  readonly membership: { readonly id: string; readonly partnerId: string | null; readonly orgId: string | null };
  readonly means: ByPassword | ByProvider;
  /** How the second factor was proved, or null. */
  readonly mfaVia: string | null;
}

interface Recorded {
  readonly sessionId: string;
  readonly signIn: AcceptedSignIn;
  readonly account: Pick<SignedInUser, 'name' | 'email'>;
}

/** The person and the place of every audit entry of a sign-in. */
function entryBase({ signIn, account: { name, email } }: Recorded) {
  const { id } = signIn.user;
  const { partnerId, orgId } = signIn.membership;
  return {
    person: { type: 'user', id, name: email },
    place: { actor: { type: 'user' as const, id, name }, partnerId, orgId },
  };
}

function recordByPassword(tx: Tx, recorded: Recorded, { via, wouldBeGoverned }: ByPassword): void {
  const { person, place } = entryBase(recorded);
  const { sessionId, signIn } = recorded;
  const action = signIn.user.breakGlass ? 'user.break_glass.login' : 'user.login';
  tx.audit({
    ...place,
    action,
    resource: person,
    details: { via, sessionId, ...(wouldBeGoverned && { wouldBeGoverned }) },
  });
}

/** What the audit entry of a link tells of it. */
export const linkDetails = (
  { providerId, attemptId }: { readonly providerId: string; readonly attemptId: string | null },
  { before, after }: LinkChange,
) => ({
  providerId,
  ...(attemptId && { attemptId }),
  changes: changesOf(before && { providerId, ...before }, { providerId, ...after }, ['providerId', 'selfLinked']),
});

function recordByProvider(tx: Tx, recorded: Recorded, { email, provider, link, attemptId }: ByProvider): void {
  const { person, place } = entryBase(recorded);
  const { sessionId, signIn } = recorded;
  const { id: providerId, name, type } = provider;
  if (link) {
    const details = linkDetails({ providerId, attemptId }, link);
    tx.audit({ ...place, action: 'sso.identity.link', resource: person, details });
  }
  const resource = { type: 'sso_provider', id: providerId, name };
  tx.audit({
    ...place,
    action: 'sso.login.success',
    resource,
    details: { protocol: type, email, ...(attemptId && { attemptId }) },
  });
  if (!signIn.user.breakGlass) return;
  const details = { via: 'sso', sessionId, providerId };
  tx.audit({ ...place, action: 'user.break_glass.login', resource: person, details });
}

function recordSignIn(tx: Tx, recorded: Recorded): void {
  const { means } = recorded.signIn;
  if (means.via === 'sso') recordByProvider(tx, recorded, means);
  else recordByPassword(tx, recorded, means);
}

/** The ending of every sign-in: opens the session, audits it, and raises an alert for a break-glass user. */
@Injectable()
export class CompleteSignIn {
  constructor(
    private readonly openSession: OpenSession,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /**
   * @param sessionId the id of the new session, which the caller may use in the same batch of statements
   * @throws ProblemError invalid_credentials when the membership does not permit a sign-in (any more)
   */
  async complete(tx: Tx, signIn: AcceptedSignIn, sessionId = newId()): Promise<string> {
    const { user, membership, means, mfaVia } = signIn;
    const provider = means.via === 'sso' ? means.provider : null;
    const account = await this.openSession.create(tx, {
      sessionId,
      userId: user.id,
      membershipId: membership.id,
      via: means.via,
      providerId: provider?.id ?? null,
      confinedOrgId: provider?.orgId ?? null,
      mfa: mfaVia === null ? null : { via: mfaVia },
    });
    recordSignIn(tx, { sessionId, signIn, account });
    if (user.breakGlass)
      this.log.warn(
        { userId: user.id, sessionId, providerId: provider?.id, alert: 'break_glass_sign_in' },
        'a break-glass account signed in',
      );
    return sessionId;
  }
}
