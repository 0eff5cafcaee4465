import type { AttributeMappingDto, LinkError } from '@gatehouse/contracts-identity';
import { changesOf } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import {
  type AccountDecision,
  type AccountFacts,
  type AccountPolicy,
  assertsMfa,
  decideAccount,
  type Identity,
  linkFault,
  mayBeTold,
  type Person,
  SAML_CLAIM_MAPPING,
} from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { InvitationsService } from '../../../invitations/invitations.service.ts';
import { PLACE_FIELDS } from '../../../people/grants/placement.ts';
import { CompleteSignIn, type LinkChange, linkDetails } from '../../../sign-in/complete-sign-in.ts';
import { ProviderTrustRepository } from '../../../providers/configuration/store/provider-trust.repository.ts';
import type { SsoProvider } from '../../../providers/configuration/store/sso-provider.entity.ts';
import { SessionsRepository } from '../../../sessions/sessions.repository.ts';
import { TechnicianFeed } from '../../../sessions/technicians/technicians.service.ts';
import type { ClaimedAttempt } from '../attempts/login-sessions.repository.ts';
import type { VerifiedAnswer } from '../oidc/oidc-engine.ts';
import { AccountFactsRepository } from './account-facts.repository.ts';
import { IdentityLinksRepository, type IssuedCode } from './identity-links.repository.ts';
import { type LinkFacts, LinkFactsRepository } from './link-facts.repository.ts';
import { NewcomersRepository } from './newcomers.repository.ts';

/**
 * SAML attributes were already mapped to our own field names when the response arrived, so they need a fixed mapping.
 */
export const claimMappingOf = ({
  type,
  attributeMapping,
}: Pick<SsoProvider, 'type' | 'attributeMapping'>): AttributeMappingDto =>
  type === 'saml' ? SAML_CLAIM_MAPPING : attributeMapping;

/** A user whom a provider signs in, and what the provider said about them. */
interface ProviderEntry {
  readonly provider: SsoProvider;
  readonly signIn: VerifiedAnswer;
  readonly identity: Identity;
  readonly user: { readonly id: string; readonly breakGlass: boolean };
  readonly membershipId: string;
  /** The link that this sign-in makes or proves; null when it enters by a link as it is. */
  readonly link: LinkChange | null;
  /** The reference of the attempt that ends so. */
  readonly attemptId: string | null;
  /** The second factor that the user proved here, or null; the provider's own assertion counts where it is trusted. */
  readonly mfaVia: string | null;
}

const PROVISIONED = { status: 'active', level: 'organization' } as const;

interface ProvisionedUser {
  readonly kind: 'sign_in';
  readonly userId: string;
  readonly membershipId: string;
  readonly breakGlass: false;
}

const policyOf = (attempt: ClaimedAttempt): AccountPolicy => ({
  ...attempt,
  axis: attempt.orgId ? 'organization' : 'partner',
});

const changeOf = ({ holderId, wasSelfLinked }: LinkFacts, selfLinked: boolean): LinkChange => ({
  before: holderId === null ? null : { selfLinked: wasSelfLinked },
  after: { selfLinked: selfLinked || wasSelfLinked },
});

/** What a test found out about an identity. */
interface TriedOut {
  readonly facts: AccountFacts;
  readonly decision?: AccountDecision;
  /** Whose account it is; absent when there is none, or when it may not be told. */
  readonly person?: Person | null;
  readonly role?: { readonly id: string; readonly name: string } | null;
}

@Injectable()
export class SsoLoginAccountsService {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly accountFactsRepository: AccountFactsRepository,
    private readonly completeSignIn: CompleteSignIn,
    private readonly identityLinksRepository: IdentityLinksRepository,
    private readonly providerTrustRepository: ProviderTrustRepository,
    private readonly linkFactsRepository: LinkFactsRepository,
    private readonly newcomersRepository: NewcomersRepository,
    private readonly sessionsRepository: SessionsRepository,
    private readonly technicianFeed: TechnicianFeed,
  ) {}

  /**
   * Decides which account an identity enters (SSO-16 to SSO-21).
   * Creates the account of an invited user first, so that the decision finds it.
   * @returns the decision and what it was made from, or null when the provider was deleted, deactivated or reconfigured
   * since the attempt began
   */
  async decide(
    tx: Tx,
    attempt: ClaimedAttempt,
    identity: Identity,
  ): Promise<{ readonly decision: AccountDecision; readonly facts: AccountFacts } | null> {
    const known = await this.accountFactsRepository.known(tx, attempt, identity);
    if (!known) return null;
    const isNewcomer = !known.linked && !known.addressInUse;
    if (isNewcomer) await this.invitations.acceptBySingleSignOn(tx, attempt, identity.email);
    const facts = await this.accountFactsRepository.complete(tx, attempt, identity, known);
    return facts && { facts, decision: decideAccount(identity, facts, policyOf(attempt)) };
  }

  /**
   * What a test may say: the decision of a sign-in, which may accept an invitation, so the caller rolls `tx` back.
   * @returns null as {@link decide} does; no decision when the owner may not learn it
   */
  async tryOut(tx: Tx, attempt: ClaimedAttempt, identity: Identity): Promise<TriedOut | null> {
    const facts = await this.factsOf(tx, attempt, identity);
    if (!facts) return null;
    const isTold = mayBeTold(decideAccount(identity, facts, policyOf(attempt)), facts);
    if (!isTold) return { facts };
    const decided = await this.decide(tx, attempt, identity);
    if (!decided) return null;
    const membershipId = 'membershipId' in decided.decision ? decided.decision.membershipId : null;
    const role = await this.accountFactsRepository.role(tx, attempt, membershipId);
    return { decision: decided.decision, facts, person: facts.linked ?? facts.byEmail, role };
  }

  /** The facts by the same two statements, whether the identity is linked or not. */
  private async factsOf(tx: Tx, attempt: ClaimedAttempt, identity: Identity): Promise<AccountFacts | null> {
    const known = await this.accountFactsRepository.known(tx, attempt, identity);
    const unlinked = known && { ...known, linked: null };
    const facts = unlinked && (await this.accountFactsRepository.complete(tx, attempt, identity, unlinked));
    return facts && { ...facts, linked: known.linked };
  }

  /**
   * The ending of every sign-in through a provider: session, identity link and the proof that the provider works.
   * @param code the exchange code with which the browser collects the tokens, if it does
   * @returns the id of the session, or null when the link cannot be stored, or is gone: then the caller must roll back
   */
  async enterThroughProvider(
    tx: Tx,
    entry: ProviderEntry,
    code: Omit<IssuedCode, 'sessionId'> | null,
  ): Promise<string | null> {
    const { provider, signIn, identity, user } = entry;
    const sessionId = newId();
    const link = { provider, userId: user.id, identity, signIn, selfLinked: entry.link?.after.selfLinked ?? false };
    const [, isSaved] = await Promise.all([
      this.completeSignIn.complete(
        tx,
        {
          user,
          membership: { id: entry.membershipId, partnerId: provider.partnerId, orgId: provider.orgId },
          means: { via: 'sso', email: identity.email, provider, link: entry.link, attemptId: entry.attemptId },
          mfaVia: entry.mfaVia ?? (assertsMfa(provider, signIn.authentication ?? {}) ? 'idp' : null),
        },
        sessionId,
      ),
      code
        ? this.identityLinksRepository.saveWithCode(tx, link, { ...code, sessionId })
        : this.identityLinksRepository.save(tx, link),
    ]);
    if (!isSaved) return null;
    await this.providerTrustRepository.markTested(tx, provider);
    return sessionId;
  }

  /**
   * Completes a linking round trip: links the identity to the account of the user who began it.
   * @returns why the identity cannot be linked, or null when it was linked
   */
  async linkIdentity(
    tx: Tx,
    {
      attempt,
      signIn,
      identity,
      attemptId,
    }: { attempt: ClaimedAttempt; attemptId: string; signIn: VerifiedAnswer; identity: Identity },
  ): Promise<LinkError | null> {
    const facts = await this.linkFactsRepository.load(tx, attempt, identity.externalId);
    if (!facts?.sameGeneration) return 'provider_changed';
    const { userId, email, holderId, hasProviderFactorsOnly } = facts;
    const fault = linkFault(identity, {
      person: userId && email ? { userId, email } : null,
      holderId,
      allowedDomains: attempt.allowedDomains,
    });
    if (fault || !userId) return fault;
    // The provider could have enrolled such factors itself: the link brings in no break-glass user.
    const selfLinked = !hasProviderFactorsOnly;
    const link = { provider: attempt, userId, identity, signIn, selfLinked };
    const isSaved = await this.identityLinksRepository.save(tx, link);
    if (!isSaved) return 'identity_in_use';
    // Storing the link has locked the user: a transaction that ends this session has committed, or waits for this one.
    const session = await this.sessionsRepository.findLive(tx, attempt.startedBy);
    if (!session?.mfaAt) return 'session_expired';
    tx.audit({
      action: 'sso.identity.link',
      resource: { type: 'user', id: userId, name: email },
      actor: { type: 'user', id: userId, name: email },
      partnerId: attempt.partnerId,
      orgId: attempt.orgId,
      details: linkDetails({ providerId: attempt.id, attemptId }, changeOf(facts, selfLinked)),
    });
    return null;
  }

  /**
   * Creates the account of a new user: without a password, in the provider's organisation, with its default role.
   */
  async provisionUser(
    tx: Tx,
    { id: providerId, partnerId, orgId, defaultRoleId: roleId }: SsoProvider,
    { email, name }: Identity,
  ): Promise<ProvisionedUser> {
    const [userId, membershipId] = [newId(), newId()] as const;
    await this.newcomersRepository.insertUser(tx, { userId, email, name });
    await this.newcomersRepository.insertMembership(tx, { membershipId, userId, partnerId, orgId, roleId });
    await this.technicianFeed.publish(tx, [userId]);
    tx.audit({
      action: 'user.create',
      resource: { type: 'user', id: userId, name: email },
      partnerId,
      orgId,
      details: {
        providerId,
        roleId,
        changes: changesOf(null, { ...PROVISIONED, partnerId, orgId, roleId }, PLACE_FIELDS),
      },
    });
    return { kind: 'sign_in', userId, membershipId, breakGlass: false };
  }
}
