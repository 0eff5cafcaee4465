import { asService, type Caller, Refusal } from '@gatehouse/contracts-core';
import type { SsoTokensDto } from '@gatehouse/contracts-identity';
import { sha256Hex } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OpenSession } from '../sessions/open-session.ts';

const CONSUME = 'DELETE FROM sso_exchange_codes WHERE code_hash = $1 AND expires_at > now() RETURNING session_id';

const invalidCode = (): Refusal => new Refusal('exchange_code_invalid', 'Invalid or expired token exchange code.');

/** SSO spec, "Token exchange code": two minutes, once. */
@Injectable()
export class ExchangeCode {
  constructor(private readonly work: UnitOfWork, private readonly sessions: OpenSession) {}

  /** @throws Refusal exchange_code_invalid */
  async execute(caller: Caller, code: string): Promise<SsoTokensDto> {
    return this.work.run(asService('identity', caller.origin), async (tx) => {
      const consumed = await tx.one<{ sessionId: string }>(CONSUME, [sha256Hex(code)]);
      if (!consumed) throw invalidCode();
      return this.sessions.issueTokens(tx, consumed.sessionId).catch((error: unknown) => {
        throw error instanceof Refusal ? invalidCode() : error;
      });
    });
  }
}
