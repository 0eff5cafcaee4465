import { asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { MessageResponse, ResetPasswordDto } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { CredentialsRepository } from '../passwords/credentials.repository.ts';
import { requireUncommon } from '../passwords/password-rules.ts';
import { Passwords } from '../passwords/passwords.ts';
import { ResetLinksRepository } from '../passwords/reset-links.repository.ts';
import { AccountsRepository } from '../people/accounts.repository.ts';
import { tenantOf } from '../people/tenant-of.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';

const ANSWER: MessageResponse = { success: true, message: 'Your password is set; sign in with it.' };

const invalidToken = (): ProblemError =>
  new ProblemError('reset_token_invalid', 'This link is not valid any more; ask for another.');

/** POST /auth/reset-password: the mailed token works once, and all sessions of the user are revoked. */
@Injectable()
export class ResetPassword {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accountsRepository: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly credentialsRepository: CredentialsRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  async execute(caller: Caller, { token, password }: ResetPasswordDto): Promise<MessageResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(token);
    const isValid = await this.work.read(service, (reader) => this.resetLinksRepository.isValid(reader, tokenHash));
    if (!isValid) throw invalidToken();
    requireUncommon(password);
    const hash = await this.passwords.hash(password);
    await this.work.run(service, async (tx) => {
      const userId = await this.resetLinksRepository.consume(tx, tokenHash);
      const account = userId === null ? null : await this.accountsRepository.byId(tx, userId);
      if (account?.status !== 'active' || account.memberships.length === 0) throw invalidToken();
      // The user became governed after the mail was sent: nothing changes, and the response does not reveal it.
      if (account.governed) return;
      await this.resetLinksRepository.revoke(tx, account.id);
      await this.credentialsRepository.store(tx, account.id, hash);
      await this.revokeSessions.ofUser(tx, account.id, 'password_reset');
      tx.audit({
        action: 'user.password.reset',
        resource: { type: 'user', id: account.id, name: account.email },
        actor: { type: 'user', id: account.id, name: account.name },
        ...tenantOf(account.memberships),
      });
    });
    return ANSWER;
  }
}
