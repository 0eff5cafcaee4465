import { asService, type Caller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { chooseSubject, EMAIL_NAME_ID, type SamlSubject } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';
import { refusedAt } from '../login/attempts/sso-login-attempts.service.ts';
import { LoginRefused } from '../login/attempts/login-refused.ts';
import type { ClaimedAttempt } from '../login/attempts/login-sessions.repository.ts';
import type { VerifiedAnswer } from '../login/oidc/oidc-engine.ts';
import { LinkedSubjectsRepository } from '../login/accounts/identity-links.repository.ts';

/** Finds the spelling under which an emailAddress subject is linked; subjects of other formats are compared exactly. */
@Injectable()
export class SamlSubjects {
  constructor(
    private readonly work: UnitOfWork,
    private readonly linkedSubjectsRepository: LinkedSubjectsRepository,
  ) {}

  /**
   * Returns the sign-in with its subject in the spelling that is linked or will be linked. Providers may change the
   * letter case of an address without meaning another user.
   * @throws LoginRefused identity_conflict when the spelling matches several linked subjects and none of them exactly
   */
  async asLinked(caller: Caller, attempt: ClaimedAttempt, signIn: VerifiedAnswer): Promise<VerifiedAnswer> {
    const saml = signIn.documents[0]?.['saml'] as SamlSubject | undefined;
    if (saml?.nameIdFormat !== EMAIL_NAME_ID) return signIn;
    const { nameId } = saml;
    const linked = await this.work.read(asService('identity', caller.origin), (reader) =>
      this.linkedSubjectsRepository.spelled(reader, attempt.id, nameId),
    );
    const sub = chooseSubject(nameId, linked);
    if (sub === null) throw new LoginRefused('identity_conflict', refusedAt(attempt));
    return { ...signIn, documents: [...signIn.documents, { sub }] };
  }
}
