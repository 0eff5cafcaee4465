import { asService, type Caller, ProblemError } from '@gatehouse/contracts-core';
import type { MessageResponse, ResetPasswordDto } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireUncommon } from '../passwords/password-rules.ts';
import { Passwords } from '../passwords/passwords.ts';
import { AccountsRepository } from '../people/accounts.repository.ts';
import { tenantOf } from '../people/tenant-of.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { revokeResetLinks } from '../passwords/reset-links.ts';
import { storePassword } from '../passwords/store-password.ts';

const FIND = `SELECT user_id FROM password_resets WHERE token_hash = $1 AND expires_at > now()`;
const CONSUME = `DELETE FROM password_resets WHERE token_hash = $1 AND expires_at > now() RETURNING user_id`;
const ANSWER: MessageResponse = { success: true, message: 'Your password is set; sign in with it.' };

const invalidToken = (): ProblemError =>
  new ProblemError('reset_token_invalid', 'This link is not valid any more; ask for another.');

/** POST /auth/reset-password: the mailed token works once, and all sessions of the user are revoked. */
@Injectable()
export class ResetPassword {
  constructor(
    private readonly work: UnitOfWork,
    private readonly accounts: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly revocation: RevokeSessions,
  ) {}

  async execute(caller: Caller, { token, password }: ResetPasswordDto): Promise<MessageResponse> {
    const service = asService('identity', caller.origin);
    const tokenHash = sha256Hex(token);
    if (!(await this.work.read(service, (reader) => reader.one(FIND, [tokenHash])))) throw invalidToken();
    requireUncommon(password);
    const hash = await this.passwords.hash(password);
    await this.work.run(service, async (tx) => {
      const consumed = await tx.one<{ userId: string }>(CONSUME, [tokenHash]);
      const account = consumed && (await this.accounts.byId(tx, consumed.userId));
      if (account?.status !== 'active' || account.memberships.length === 0) throw invalidToken();
      // The user became governed after the mail was sent: nothing changes, and the response does not reveal it.
      if (account.governed) return;
      await revokeResetLinks(tx, account.id);
      await storePassword(tx, account.id, hash);
      await this.revocation.ofUser(tx, account.id, 'password_reset');
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
