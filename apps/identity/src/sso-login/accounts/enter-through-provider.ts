import { newId } from '@gatehouse/crypto';
import type { Tx } from '@gatehouse/database';
import { assertsMfa, type Identity } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { CompleteSignIn } from '../../sign-in/complete-sign-in.ts';
import { ProviderTrustRepository } from '../../sso-providers/store/provider-trust.repository.ts';
import type { SsoProvider } from '../../sso-providers/store/sso-provider.entity.ts';
import { IdentityLinksRepository, type IssuedCode } from './identity-links.repository.ts';
import type { VerifiedAnswer } from '../oidc/oidc-engine.ts';

/** A user whom a provider signs in, and what the provider said about them. */
export interface ProviderEntry {
  readonly provider: SsoProvider;
  readonly signIn: VerifiedAnswer;
  readonly identity: Identity;
  readonly user: { readonly id: string; readonly breakGlass: boolean };
  readonly membershipId: string;
  /** True when this sign-in links the identity. */
  readonly linked: boolean;
  /** True when the user proved the account for the link. */
  readonly selfLinked: boolean;
  /** The second factor that the user proved here, or null; the provider's own assertion counts where it is trusted. */
  readonly mfaVia: string | null;
}

/**
 * The ending of every sign-in through a provider: the session, the identity link and the proof that the provider works.
 */
@Injectable()
export class EnterThroughProvider {
  constructor(
    private readonly completeSignIn: CompleteSignIn,
    private readonly identityLinksRepository: IdentityLinksRepository,
    private readonly providerTrustRepository: ProviderTrustRepository,
  ) {}

  /**
   * @param code the exchange code with which the browser collects the tokens, if it does
   * @returns the id of the session, or null when the user has another identity at the provider: then the caller must
   * roll back
   */
  async execute(tx: Tx, entry: ProviderEntry, code: Omit<IssuedCode, 'sessionId'> | null): Promise<string | null> {
    const { provider, signIn, identity, user, selfLinked } = entry;
    const sessionId = newId();
    const link = { provider, userId: user.id, identity, signIn, selfLinked };
    const [, isSaved] = await Promise.all([
      this.completeSignIn.execute(
        tx,
        {
          user: { ...user, email: identity.email },
          membership: { id: entry.membershipId, partnerId: provider.partnerId, orgId: provider.orgId },
          means: { via: 'sso', provider, linked: entry.linked },
          mfaVia: entry.mfaVia ?? (assertsMfa(provider.trustsIdpMfa, signIn.amr) ? 'idp' : null),
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
}
