import type { UserCaller } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { CredentialsRepository } from '../passwords/credentials.repository.ts';
import { ResetLinksRepository } from '../passwords/reset-links.repository.ts';
import { RevokeSessions } from '../sessions/revoke-sessions.ts';
import { sessionOf } from '../sessions/session-of.ts';

/** Replaces the caller's proved password, and revokes mailed reset links and the caller's other sessions. */
@Injectable()
export class ReplacePassword {
  constructor(
    private readonly credentialsRepository: CredentialsRepository,
    private readonly resetLinksRepository: ResetLinksRepository,
    private readonly revokeSessions: RevokeSessions,
  ) {}

  /** @returns false when the password was replaced during the check of the current one */
  async execute(
    tx: Tx,
    caller: UserCaller,
    hashes: { readonly shown: string | null; readonly next: string },
  ): Promise<boolean> {
    const { userId, email } = caller;
    if (!(await this.credentialsRepository.replace(tx, userId, hashes))) return false;
    await this.resetLinksRepository.revoke(tx, userId);
    await this.revokeSessions.ofUser(tx, userId, 'password_changed', { exceptSessionId: sessionOf(caller) });
    tx.audit({ action: 'user.password.change', resource: { type: 'user', id: userId, name: email } });
    return true;
  }
}
