import { asService, type Caller, Refusal } from '@gatehouse/contracts-core';
import type { ConfirmLinkDto, SsoTokensDto } from '@gatehouse/contracts-identity';
import { newId, sha256Hex } from '@gatehouse/crypto';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { assertsMfa, mapClaims } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import type { Account } from '../people/accounts.repository.ts';
import { recordLoginFailure } from '../people/login-failure.ts';
import { OpenSession } from '../sessions/open-session.ts';
import { AccountProof } from './account-proof.ts';
import { IdentityLinksRepository } from '../sso-login/identity-links.repository.ts';
import { claimMappingOf } from '../sso-login/claim-mapping-of.ts';
import { type ClaimedParkedLink, ParkedLinks } from '../sso-login/parked-links.ts';

const invalidConfirmation = (): Refusal => new Refusal('link_confirmation_invalid', 'The confirmation is not valid; sign in through your identity provider again.');

/**
 * `POST /sso/link/confirm`: the owner of the account proves it with the password, and with the second factor if there is
 * one; then the parked identity is linked and the sign-in goes on. One try: a wrong proof uses the parked link up.
 */
@Injectable()
export class ConfirmParkedLink {
  constructor(
    private readonly work: UnitOfWork,
    private readonly parked: ParkedLinks,
    private readonly proof: AccountProof,
    private readonly links: IdentityLinksRepository,
    private readonly sessions: OpenSession,
  ) {}

  /** @throws Refusal link_confirmation_invalid, mfa_required */
  async execute(caller: Caller, { token, body }: { token: string | null; body: ConfirmLinkDto }): Promise<SsoTokensDto> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(token ?? '');
    await this.proof.requireRoom(caller, tokenHash);
    const userId = await this.work.read(service, (reader) => this.parked.ownerOf(reader, tokenHash));
    const account = userId ? await this.work.read(service, (reader) => this.proof.accountOf(reader, userId)) : null;
    const isProven = await this.proof.verifies(account, body);
    const tokens = await this.work.run(service, async (tx) => {
      const link = await this.parked.take(tx, tokenHash);
      const factor = link && account && isProven ? await this.proof.secondFactor(tx, account, body) : null;
      if (link && account && factor) return this.link(tx, link, { account, mfaVia: factor.via });
      if (link) recordLoginFailure(tx, account, { reason: isProven ? 'wrong_second_factor' : 'wrong_password', providerId: link.provider.id });
      return null;
    });
    if (!tokens) throw invalidConfirmation();
    return tokens;
  }

  private async link(tx: Tx, { provider, signIn }: ClaimedParkedLink, { account, mfaVia }: { account: Account; mfaVia: string | null }): Promise<SsoTokensDto> {
    const identity = mapClaims(signIn.documents, claimMappingOf(provider));
    const membership = account.memberships.find(({ partnerId, orgId }) => partnerId === provider.partnerId && orgId === provider.orgId);
    if (!identity || !membership || identity.email !== account.email) throw invalidConfirmation();
    const mfa = mfaVia ?? (assertsMfa(provider.trustsIdpMfa, signIn.amr) ? 'idp' : null);
    const sessionId = newId();
    await this.sessions.create(tx, { sessionId, userId: account.id, membershipId: membership.id, via: 'sso', providerId: provider.id, confinedOrgId: provider.orgId, mfa: mfa ? { via: mfa } : null });
    if (!(await this.links.save(tx, { provider, userId: account.id, identity, signIn }))) throw invalidConfirmation();
    const actor = { type: 'user' as const, id: account.id, name: account.email };
    const place = { actor, partnerId: provider.partnerId, orgId: provider.orgId };
    tx.audit({ ...place, action: 'sso.identity.link', resource: { type: 'user', id: account.id, name: account.email }, details: { providerId: provider.id } });
    tx.audit({ ...place, action: 'sso.login.success', resource: { type: 'sso_provider', id: provider.id, name: provider.name }, details: { protocol: provider.type, email: identity.email } });
    return this.sessions.issueTokens(tx, sessionId);
  }
}
