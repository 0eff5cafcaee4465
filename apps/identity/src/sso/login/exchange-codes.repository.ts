import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { issueTo } from '../../sessions/refresh-tokens.repository.ts';
import type { SessionClaims } from '../../sessions/tokens/access-tokens.ts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A one-time code with which a browser collects its tokens after a callback. */
@Entity('sso_exchange_codes')
export class ExchangeCodeEntity {
  @PrimaryColumn('char') codeHash!: string;
  @Column('uuid') sessionId!: string;
  @Column('timestamptz', { default: () => "(now() + '00:02:00'::interval)" }) expiresAt!: Date;
  /** The hash of the only browser value that may exchange the code; null for codes of earlier releases. */
  @Column('char', { nullable: true }) browserHash!: string | null;
}

const REDEEM = issueTo(`
  DELETE FROM sso_exchange_codes WHERE code_hash = $1 AND browser_hash = $3 AND expires_at > now()
    RETURNING session_id`);

@Injectable()
export class ExchangeCodesRepository {
  /**
   * Consumes a code and stores the first refresh token of its session, in one statement.
   * @returns null for a code that is unknown, expired or of another browser, and for a session that has ended
   */
  redeem(
    statement: Reader,
    { codeHash, browserHash, tokenHash }: { codeHash: string; browserHash: string; tokenHash: string },
  ): Promise<SessionClaims | null> {
    return statement.one<SessionClaims>(REDEEM, [codeHash, tokenHash, browserHash]);
  }
}
